import { expect, it } from 'vitest'
import { createTextFinder } from './text-finder.ts'

const SECRET = 'pässwörd-7"x\\9-live'
const finds = createTextFinder([SECRET])
const utf8 = Buffer.from(SECRET)

const quotedPrintable = [...utf8]
  .map((byte) => (byte > 126 ? `=${byte.toString(16).toUpperCase()}` : String.fromCharCode(byte)))
  .join('')
const inGit = [...utf8]
  .map((byte) => (byte > 126 ? `\\${byte.toString(8)}` : String.fromCharCode(byte)))
  .join('')
const escapes = Array.from(SECRET)
  .map((letter) => `\\u${letter.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}`)
  .join('')

it.each<[string, string | Buffer]>([
  ['as it is', SECRET],
  ['composed of parts', SECRET.normalize('NFD')],
  ['in Latin-1', Buffer.from(SECRET, 'latin1')],
  ['in UTF-16', Buffer.from(SECRET, 'utf16le')],
  ['in UTF-16, the other way round', Buffer.from(SECRET, 'utf16le').swap16()],
  ['in JSON in JSON', JSON.stringify(JSON.stringify({ said: SECRET }))],
  ['with every letter escaped', escapes],
  ['percent-encoded, in small letters', encodeURIComponent(SECRET).toLowerCase()],
  ['quoted-printable, over two lines', `${quotedPrintable.slice(0, 9)}=\r\n${quotedPrintable.slice(9)}`],
  ['as git quotes a name', inGit],
  [
    'in HTML',
    Array.from(SECRET)
      .map((each) => `&#${each.codePointAt(0)};`)
      .join(''),
  ],
  [
    'in Base64, broken into lines',
    Buffer.from(`x${SECRET.repeat(9)}`)
      .toString('base64')
      .replaceAll(/(.{20})/g, '$1\n'),
  ],
  ['in hex', utf8.toString('hex')],
  [
    'in Base64 in JSON',
    JSON.stringify({ data: Buffer.from(JSON.stringify({ SECRET })).toString('base64url') }),
  ],
  ['in Base64 in Base64', Buffer.from(Buffer.from(SECRET).toString('base64')).toString('base64')],
])('[J15] finds a text %s', (_, form) => {
  const bytes = Buffer.concat([
    Buffer.from('before '),
    Buffer.from(' '),
    Buffer.from(form),
    Buffer.from(' after'),
  ])
  expect(finds(bytes)).toBe(true)
  expect(createTextFinder(['another text'])(bytes)).toBe(false)
})

it('[J15] finds a text without plain letters', () => {
  expect(createTextFinder(['пароль-пароль'])(Buffer.from(JSON.stringify('a пароль-пароль')))).toBe(true)
})
