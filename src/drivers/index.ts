/** Front door: what makes agents and commands work, and what ends them. */
export { createAcpDriver } from './acp/driver.ts'
export { createCommandDriver } from './command/driver.ts'
export {
  type AgentSession,
  type Driver,
  type Elicitation,
  type Elicited,
  type Opened,
  PERMISSION_KINDS,
  type Permission,
  type PermissionKind,
  type TurnEnd,
  type Update,
} from './driver.ts'
export { isErrorInJson, isModelError } from './error-meaning.ts'
export { launch } from './process/launch.ts'
export { openProcessRegistry, type ProcessRegistry } from './process/registry.ts'
export { describeControlGroups } from './sandbox/control-group.ts'
export { type FoundSandbox, findSandbox, findUntried } from './sandbox/find-sandbox.ts'
export {
  canShowElsewhere,
  emptySandbox,
  NO_LIMITS,
  type Sandbox,
  type SandboxEngine,
  type ShownPlace,
  WORLD,
} from './sandbox/sandbox.ts'
export { upstreamIn } from './sandbox/upstream.ts'
export { createScriptedDriver } from './scripted/driver.ts'
export { runShell, type ShellResult } from './shell.ts'
