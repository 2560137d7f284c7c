import { createElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { expect, it } from 'vitest'
import MarkdownText from './markdown-text.tsx'

const shown = (text: string): string => renderToStaticMarkup(createElement(MarkdownText, { text }))

it.each([
  ['a remark', 'Fine.\n\n<!-- HIDDEN -->\n\nGood.'],
  ['a remark in a line', 'Fine <!-- HIDDEN --> and good.'],
  ['a tag', 'Fine.\n\n<div title="HIDDEN">\n</div>'],
  ['a script', '<script>HIDDEN</script>'],
  ['a definition', 'Fine.\n\n[x]: http://example.com "HIDDEN"'],
  ['a footnote without a mark', 'Fine.\n\n[^1]: HIDDEN'],
  ['a picture', '![HIDDEN](http://example.com/x.png)'],
  ['a remark in a list', '- one\n\n  <!-- HIDDEN -->\n- two'],
])('[Q29] %s does not vanish from a text that a person decides on', (_what, text) => {
  const html = shown(text)
  expect(html.replaceAll(/<[^>]*>/g, '')).toContain('HIDDEN')
  expect(html).not.toMatch(/<(?:script|img|div title)/)
})

it('leaves the rest as it is', () => {
  expect(shown('**Bold** and `code`.\n\n- one\n- two')).toContain(
    '<strong>Bold</strong> and <code>code</code>.',
  )
})
