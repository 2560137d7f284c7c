/** Puts a command into its sandbox, by whichever engine this machine has. */
import { bubblewrapCommand } from './bubblewrap-command.ts'
import type { Sandbox } from './sandbox.ts'
import type { CommandToBox, SandboxedCommand } from './sandboxed-command.ts'
import { seatbeltCommand } from './seatbelt.ts'

export function sandboxed(sandbox: Sandbox, command: CommandToBox): SandboxedCommand {
  const { engine } = sandbox
  switch (engine.kind) {
    case 'bubblewrap':
      return bubblewrapCommand(engine, sandbox, command)
    case 'seatbelt':
      return seatbeltCommand(engine, sandbox, command)
  }
}
