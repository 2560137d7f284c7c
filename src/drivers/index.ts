/** Front door: what makes agents and commands work, and what ends them. */
export { type AcpDriverOptions, createAcpDriver } from './acp/driver.ts'
export { type CommandDriverOptions, createCommandDriver } from './command/driver.ts'
export {
  type AgentSession,
  type Driver,
  type Elicitation,
  type Elicited,
  type Launch,
  type Opened,
  type OpenRequest,
  PERMISSION_KINDS,
  type Permission,
  type PermissionKind,
  type TurnEnd,
  type Update,
} from './driver.ts'
export { type Exit, type LaunchOptions, launch, type Running } from './process/launch.ts'
export {
  type Leftover,
  openProcessRegistry,
  type ProcessEntry,
  type ProcessRegistry,
} from './process/registry.ts'
export { type FoundSandbox, findSandbox } from './sandbox/find-sandbox.ts'
export type { RefusedConnection } from './sandbox/hosts.ts'
export {
  canShowElsewhere,
  emptySandbox,
  type Limits,
  type Network,
  NO_LIMITS,
  NO_NETWORK,
  type Sandbox,
  type SandboxEngine,
  type Shown,
} from './sandbox/sandbox.ts'
export { createScriptedDriver, type ScriptedDriverOptions } from './scripted/driver.ts'
export {
  type Action,
  type ParsedScript,
  parseScript,
  type Script,
  type ScriptSession,
  type When,
} from './scripted/script.ts'
export { runShell, type ShellCommand, type ShellResult } from './shell.ts'
export { readUsageLimit, type UsageLimit } from './usage-limit.ts'
