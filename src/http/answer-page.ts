/**
 * The page behind a link: one decision, its options as buttons. It works without a script, loads nothing from
 * anywhere. Everything that somebody wrote is escaped, and every letter in it that cannot be seen is named.
 */
import { createHash } from 'node:crypto'
import { html as htmlOf, raw } from 'hono/html'
import { actorText } from '../model/answer.ts'
import type { Field } from '../model/contract.ts'
import type { DecisionRecord, ShownCommand, ShownOption } from '../model/decision-record.ts'
import { visibleText } from '../model/visible-text.ts'
import { STYLE } from './answer-style.ts'

type Html = ReturnType<typeof htmlOf>

/** Whatever comes into the page comes through here. */
const html: typeof htmlOf = (strings, ...values) => htmlOf(strings, ...values.map(shown))

const shown = (value: unknown): unknown =>
  typeof value === 'string' ? visibleText(value) : Array.isArray(value) ? value.map(shown) : value

export interface AnswerView {
  readonly record: DecisionRecord
  /** Whom the link was made for. */
  readonly person: string
  /** Where the form goes: signed for what is shown here. */
  readonly action: string
  /** A sentence above all: what was refused, or that the question has changed. */
  readonly notice: string
  /** What the form had when it was refused. */
  readonly note: string
}

export function answerPage(view: AnswerView): Html {
  const { record, notice } = view
  const { headline, question, detail, context } = record.shown
  return page(
    headline,
    html`${notice === '' ? '' : html`<p class="notice" role="alert">${notice}</p>`}
<p class="from">${fromText(record)}</p>
<h1>${headline}</h1>
<p class="question">${question}</p>
${detail === '' ? '' : html`<pre>${detail}</pre>`}
${Object.entries(context).map(([name, text]) => html`<section><h2>${name}</h2><pre>${text}</pre></section>`)}
${record.status === 'open' ? form(view) : ending(record)}`,
  )
}

/** For links that lead nowhere. */
export const messagePage = (title: string, message: string): Html =>
  page(title, html`<h1>${title}</h1><p class="question">${message}</p>`)

/** Nothing from elsewhere, no script, no frame around it, and no word to others where one came from. */
export const PAGE_HEADERS: Readonly<Record<string, string>> = {
  'content-security-policy': [
    "default-src 'none'",
    `style-src 'sha256-${createHash('sha256').update(STYLE).digest('base64')}'`,
    "form-action 'self'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join('; '),
  'referrer-policy': 'no-referrer',
  'cache-control': 'no-store',
  'x-content-type-options': 'nosniff',
  'x-robots-tag': 'noindex',
}

const page = (title: string, body: Html): Html => html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${title} · Signalbox</title>
<style>${raw(STYLE)}</style>
</head>
<body><main>
${body}
</main></body>
</html>
`

function fromText({ asker, runbook, step, run, repo, confined }: DecisionRecord): string {
  const who = asker === null || asker.agent === '' ? 'Signalbox asks' : `${asker.agent} asks`
  const where = run === null ? repo : `${step ?? ''} of run ${run}`
  const held = confined === 'none' ? 'no sandbox held its agents' : ''
  const flow = run === null ? '' : runbook.split('/').at(-1)
  return [who, where, flow, held].filter((part) => part !== '').join(' · ')
}

function form({ record, person, action, note }: AnswerView): Html {
  const { options, recommended, fields, runs = [] } = record.shown
  const inWords = record.cause === 'agent' || record.cause === 'outside'
  // The first button is what the Enter key would press: none of the options may be.
  return html`${runs.length === 0 ? '' : html`<section><h2>Whatever you answer</h2>${runs.map(commandBlock)}</section>`}
<form method="post" action="${action}">
<button type="submit" disabled hidden></button>
${options.map((option) => optionButton(option, recommended))}
${fields.map((field) => fieldInput(field, record.shown.proposed[field.name]))}
<label for="note">A note that goes with it</label>
<textarea id="note" name="note" rows="3">${note}</textarea>
${inWords ? html`<button class="words" name="pick" value="">Send only the note</button>` : ''}
<p class="from">You answer as ${person}. Nothing is decided until you press a button.</p>
</form>`
}

function optionButton(
  { key, label, body, reversible, leadsTo, runs = [] }: ShownOption,
  recommended: string | null,
): Html {
  const tags = [
    ...(key === recommended ? ['recommended'] : []),
    ...(reversible ? [] : ['cannot be undone']),
    ...(leadsTo === '' ? [] : [`→ ${leadsTo}`]),
  ]
  const looks = [key === recommended ? 'recommended' : '', reversible ? '' : 'final'].join(' ').trim()
  return html`<button class="option ${looks}" name="pick" value="${key}">
<strong>${label}</strong>${tags.map((tag) => html` <span class="tag">${tag}</span>`)}
${body === '' ? '' : html`<span class="body">${body}</span>`}
${runs.map((run) => html`<span class="body">${whereText(run)} <code>${run.command}</code></span>`)}
</button>`
}

const commandBlock = (run: ShownCommand): Html => html`<p>${whereText(run)}</p><pre>${run.command}</pre>`

const whereText = ({ step, folder, held }: ShownCommand): string =>
  `Runs ${[
    ...(step === '' ? [] : [`at ${step}`]),
    ...(folder === '' ? [] : [`in ${folder}`]),
    ...(held === 'none' ? ['outside any sandbox'] : []),
  ].join(', ')}:`

function fieldInput({ name, type, say, choices, requiredFor }: Field, proposed: unknown): Html {
  const id = `field.${name}`
  const needed = requiredFor.length === 0 ? '' : ` (needed for ${requiredFor.join(', ')})`
  const label = html`<label for="${id}">${say === '' ? name : say}${needed}${LINES[type] ?? ''}</label>`
  // What is proposed stands where nothing is said; the parts of findings would be lost in lines.
  const value = type === 'findings' ? '' : proposedText(proposed)
  const options = type === 'boolean' ? ['true', 'false'] : choices
  if (type === 'boolean' || type === 'choice')
    return html`${label}<select id="${id}" name="${id}"><option value=""></option>${options.map((choice) =>
      choice === value ? html`<option selected>${choice}</option>` : html`<option>${choice}</option>`,
    )}</select>`
  return html`${label}<textarea id="${id}" name="${id}" rows="${type === 'number' ? 1 : 2}">${value}</textarea>`
}

const LINES: Readonly<Partial<Record<Field['type'], string>>> = {
  list: ', one a line',
  findings: ', one a line',
}

function proposedText(proposed: unknown): string {
  if (typeof proposed === 'string') return proposed
  if (Array.isArray(proposed)) return proposed.join('\n')
  return proposed === undefined ? '' : JSON.stringify(proposed)
}

/** What became of it, for whoever comes later. */
function ending(record: DecisionRecord): Html {
  const { status, note, did, edited } = record
  return html`<section class="ending"><p><strong>${endingText(record)}</strong></p>
${edited === null ? '' : html`<p>It shall mean: ${edited}</p>`}
${note === '' ? '' : html`<blockquote>${note}</blockquote>`}
${did === '' ? '' : html`<p>Then: ${did}</p>`}
<p class="from">Now: ${status}${record.undoableUntil === undefined ? '' : `, and it can be taken back until ${new Date(record.undoableUntil).toISOString().slice(11, 19)} UTC`}</p></section>`
}

function endingText({ status, by, pick, shown, stages }: DecisionRecord): string {
  switch (status) {
    case 'open':
      return 'It is open.'
    case 'expired':
      return 'Nobody answered in time.'
    case 'withdrawn':
      return 'It was withdrawn: there is nothing to answer any more.'
    case 'superseded':
      return 'Another question has taken its place.'
    case 'answered':
    case 'delivered':
    case 'acknowledged':
    case 'acted':
    case 'undeliverable': {
      const label = shown.options.find(({ key }) => key === pick)?.label ?? pick
      const at = stages.find((stage) => stage.status === 'answered')?.at
      const when =
        at === undefined ? '' : ` on ${new Date(at).toISOString().slice(0, 16).replace('T', ' at ')} UTC`
      const who = by === null ? 'Somebody' : actorText(by)
      return `${who} answered ${pick === '' ? 'in words' : `with “${label}”`}${when}.`
    }
  }
}
