import { describe, expect, it } from 'vitest'
import { holdsCredential } from './credential-files.ts'

describe('[X22] a file of settings holds a credential', () => {
  it.each([
    '//registry.example.com/:_authToken=abcdef',
    '_auth = dXNlcjpwYXNz',
    'registry=https://user:hidden@example.com/',
    '[global]\nindex-url = https://user:hidden@example.com/simple\n',
    'npmAuthToken: "abcdef"',
    '<server><id>a</id><password>hidden</password></server>',
    '{ "auths": { "example.com": { "auth": "dXNlcjpwYXNz" } } }',
    '{ "http-basic": { "example.com": { "username": "me", "password": "hidden" } } }',
    '[registry]\ntoken = "abcdef"',
    'mavenPassword=hidden',
    ':rubygems_api_key: rubygems_abcdef',
    'channels:\n  - https://conda.example.com/t/ab-1234567890/main',
    'export API_KEY=hidden',
    '-----BEGIN OPENSSH PRIVATE KEY-----\nabc',
    '<add key="ClearTextPassword" value="hidden" />',
  ])('%j', (text) => {
    expect(holdsCredential(text)).toBe(true)
  })

  it.each([
    'registry=https://packages.example.com/\nprefix=/usr\nalways-auth=true\n',
    '//registry.example.com/:_authToken=${NPM_TOKEN}',
    '[global]\nindex-url = https://example.com/simple\n',
    '<!-- <password>example</password> --><settings></settings>',
    '# token = "example"\n[build]\njobs = 4\n',
    '-----BEGIN CERTIFICATE-----\nabc',
    'org.gradle.jvmargs=-Xmx2g\n',
    '',
  ])('%j holds none', (text) => {
    expect(holdsCredential(text)).toBe(false)
  })
})
