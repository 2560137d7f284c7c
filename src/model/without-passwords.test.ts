import { describe, expect, it } from 'vitest'
import { hasPassword, withoutPasswords } from './without-passwords.ts'

describe('[D25] a value without the passwords in it', () => {
  it.each([
    ['https://user:hidden@example.com/a.git', 'https://example.com/a.git'],
    ['https://hidden@example.com/a.git', 'https://example.com/a.git'],
    ['https://user:hid@den@example.com', 'https://example.com'],
    ['https://user:hid/den@example.com/x', 'https://example.com/x'],
    ['HTTPS://USER:hidden@EXAMPLE.com', 'HTTPS://EXAMPLE.com'],
    ['ssh://git:hidden@example.com:22/a.git', 'ssh://git@example.com:22/a.git'],
    ['git+ssh://git@example.com/a', 'git+ssh://git@example.com/a'],
    ['socks5h://user:hidden@10.0.0.1:1080', 'socks5h://10.0.0.1:1080'],
    ['https://user:hidden@[::1]:3128/', 'https://[::1]:3128/'],
    [
      'https://a.example.com,https://user:hidden@b.example.com|direct',
      'https://a.example.com,https://b.example.com|direct',
    ],
    ['--index-url https://user:hidden@example.com --quiet', '--index-url https://example.com --quiet'],
    ['"https://user:hidden@example.com"', '"https://example.com"'],
    ['user:hidden@proxy.example.com:3128', 'proxy.example.com:3128'],
    [
      'https://example.com/lfs?private_token=hidden&depth=1',
      'https://example.com/lfs?private_token=&depth=1',
    ],
    ['https://store.example.com/x?sv=1&sig=hidden', 'https://store.example.com/x?sv=1&sig='],
    ['Authorization: Basic hidden', 'Authorization:'],
    ['PRIVATE-TOKEN: hidden', 'PRIVATE-TOKEN:'],
    ['-DAPI_KEY="hidden word" -O2', '-DAPI_KEY= -O2'],
    ['//registry.example.com/:_authToken=hidden', '//registry.example.com/:_authToken='],
  ])('%s', (value, bare) => {
    expect(withoutPasswords(value)).toBe(bare)
    expect(hasPassword(value)).toBe(bare !== value)
    expect(withoutPasswords(bare)).toBe(bare)
  })

  it.each([
    '/opt/homebrew/opt/node@20/bin:/usr/bin',
    'bin:/opt/node@20/bin',
    'git@github.com:user/repo.git',
    'https://packages.npmjs.org/@scope/package',
    'http://localhost:8080/a@b',
    'https://[::1]:3128/a@b',
    'https://example.com:443/a@b',
    'me@example.com',
    'mailto:me@example.com',
    '+refs/heads/*:refs/remotes/origin/*',
    '--max-old-space-size=4096',
    'C:\\Users\\me@work',
    '',
  ])('%s stays as it is', (value) => {
    expect(withoutPasswords(value)).toBe(value)
  })
})
