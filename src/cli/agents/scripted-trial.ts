/** `signalbox agents test NAME --scripted`: the same trial, with a model of ours that does what a script says. No account is needed. */
import { mkdtempSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openScriptedModel } from '../../drivers/scripted-model/server.ts'
import { READY_AGENTS } from '../../host/ready-agents/ready-agents.ts'
import { list } from '../../model/nearest.ts'
import type { Config } from '../config/config.ts'
import { EXIT } from '../exit.ts'
import { complain } from '../terminal/complaint.ts'
import type { CommandSetting } from '../wiring.ts'
import { plainVariables, SMALL_MODELS, scriptedProgram, trialScripts } from './scripted-recipe.ts'
import { LIMIT_MS, subjectFor, type TrialOptions, tryOut, whyMissing } from './trial.ts'

export async function testScripted(
  wanted: string,
  options: TrialOptions,
  setting: CommandSetting,
): Promise<number> {
  const { terminal, environment } = setting
  const subject = await subjectFor(wanted, setting)
  if ('problem' in subject) return complain(terminal, subject.problem, subject.code)
  const { program, config } = subject
  const { name, scripted } = program
  if (scripted === undefined || program.driver !== 'acp')
    return complain(
      terminal,
      `How ${name} is given a scripted model is not known: say it under \`scripted:\` in its entry of your config (docs/agents.md). It is known for ${list(READY_AGENTS.map((ready) => ready.name))}. Without --scripted it is tried with your model.`,
      EXIT.usage,
    )
  const missing = whyMissing(program, setting)
  if (missing !== null) return complain(terminal, missing, EXIT.usage)
  terminal.write(
    `This has ${terminal.paint('bold', name)} work with a scripted model on this machine: nothing of your account is used.`,
  )
  const model = await openScriptedModel({
    smallModels: [...SMALL_MODELS, ...((scripted.smallModel ?? '') ? [scripted.smallModel!] : [])],
  })
  const home = realpathSync(mkdtempSync(join(tmpdir(), 'signalbox-agent-')))
  try {
    return await tryOut(
      {
        program: scriptedProgram(program, scripted, { home, model: model.url }),
        config: withModel(config, new URL(model.url).host),
        limitMs: options.time ?? LIMIT_MS,
        scripts: trialScripts(),
        trace: options.trace,
        variables: { ...plainVariables(environment.variables), HOME: home },
      },
      setting,
    )
  } finally {
    await model.close()
    rmSync(home, { recursive: true, force: true, maxRetries: 5 })
  }
}

/** The model is a server of this machine, and those are out of reach unless they are listed. */
function withModel(config: Config, host: string): Config {
  const { network } = config.sandbox
  const listed = network === 'on' ? ['*'] : network === 'off' ? [] : network
  return { ...config, sandbox: { ...config.sandbox, network: [...listed, host] } }
}
