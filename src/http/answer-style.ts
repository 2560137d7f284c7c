/** The look of the page behind a link: one column, light or dark as the device is, large enough for a thumb. */
export const STYLE = `
:root { --ink: #1b1f24; --soft: #59626e; --paper: #f6f7f9; --card: #fff; --line: #d5dae1; --go: #0b62d6; --stop: #b3261e; --warm: #fff4d6 }
@media (prefers-color-scheme: dark) {
  :root { --ink: #e8ebef; --soft: #9aa4b1; --paper: #14171b; --card: #1d2127; --line: #363d47; --go: #74aaff; --stop: #ff8a80; --warm: #3a3220 }
}
* { box-sizing: border-box }
body { margin: 0; background: var(--paper); color: var(--ink); font: 16px/1.5 system-ui, sans-serif }
main { max-width: 44rem; margin: 0 auto; padding: 1rem }
h1 { font-size: 1.4rem; line-height: 1.25; margin: .25rem 0; overflow-wrap: anywhere }
h2 { font-size: .85rem; color: var(--soft); margin: 1rem 0 .25rem; overflow-wrap: anywhere }
.question { font-size: 1.1rem; margin: .25rem 0 1rem; overflow-wrap: anywhere }
.from { color: var(--soft); font-size: .85rem; margin: .5rem 0; overflow-wrap: anywhere }
.notice { background: var(--warm); border-left: 4px solid var(--go); padding: .75rem 1rem; margin: 0 0 1rem; white-space: pre-wrap; overflow-wrap: anywhere }
pre { background: var(--card); border: 1px solid var(--line); border-radius: 8px; padding: .75rem; margin: 0; white-space: pre-wrap; overflow-wrap: anywhere; font-size: .9rem }
form { margin-top: 1.25rem; display: grid; gap: .6rem }
label { font-size: .9rem; color: var(--soft); margin-top: .4rem }
button, textarea, select { font: inherit; color: inherit; background: var(--card); border: 1px solid var(--line); border-radius: 8px; padding: .75rem 1rem; width: 100%; text-align: left }
button { cursor: pointer; min-height: 3rem; overflow-wrap: anywhere }
button:hover, button:focus-visible, textarea:focus, select:focus { border-color: var(--go); outline: 2px solid var(--go); outline-offset: -1px }
button.recommended { border: 2px solid var(--go) }
button.final .tag { border-color: var(--stop); color: var(--stop) }
button.words { text-align: center }
button[hidden] { display: none }
.body { display: block; color: var(--soft); font-size: .9rem; white-space: pre-wrap }
.tag { display: inline-block; font-size: .75rem; border: 1px solid var(--line); border-radius: 99px; padding: 0 .5rem; color: var(--soft) }
.ending { border-left: 4px solid var(--go); padding: .1rem 1rem; margin-top: 1.25rem; background: var(--card) }
blockquote { margin: .5rem 0; padding-left: .75rem; border-left: 2px solid var(--line); white-space: pre-wrap; overflow-wrap: anywhere }
@media (min-width: 60rem) { main { padding: 3rem 1rem } }
`
