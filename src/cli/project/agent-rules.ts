/** What an agent outside of runs is told about Signalbox, in the file that it reads of itself. */

export const SKILL = `---
name: signalbox
description: Working beside Signalbox in this repository. Use when the work comes to a choice that a person owns, when asked to start, watch or look up a run, or when a decision was put to a person.
---

`

export const RULES: readonly string[] = [
  '## Signalbox',
  '',
  'Runs of Signalbox take issues of this repository through a declared flow of agents, checks and human decisions. If your prompt is',
  'a brief of such a run, the brief alone counts, and the rest of this section is not for you.',
  '',
  '**Raise a decision** when the work comes to a concrete choice between alternatives that a person owns: what cannot be undone,',
  'what costs money or reaches others, what changes the scope, what the request leaves open and you cannot find out. Call',
  '`create_decision` of the MCP server `signalbox` with the alternatives you see and the one you would take; do not ask in prose. Then call',
  '`wait_decision`, or do what does not hang on it meanwhile. What the request settles, or what you can find out, you decide yourself.',
  '',
  '**Never answer a decision**, neither one of yours nor of anybody else: answers are given by people. Do not run `signalbox inbox`,',
  '`signalbox decision answer`, or anything else that answers, approves, lands or cancels in their stead.',
  '',
  '**To start a run**, when you were asked to: `signalbox check RUNBOOK` first, then `signalbox run RUNBOOK --issue ID --detach`. The',
  'runbooks are in `.signalbox/`; `signalbox issue list` tells the issues. A run begins with what is committed.',
  '',
  '**To watch one**: `list_runs` and `read_run` of the MCP server, or `signalbox ps`, `signalbox show RUN`, `signalbox logs RUN`. Leave its',
  "branch (`signalbox/…`) and its worktree alone: `signalbox diff RUN` shows the work, and bringing it in is a person's to say.",
]
