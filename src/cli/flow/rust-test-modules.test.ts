/** What of a Rust file is production code, and how one could try to pass it off as a test. */
import { describe, expect, it } from 'vitest'
import { productionCode } from './rust-test-modules.ts'

const PRODUCTION = `//! A crate.
use std::fmt;

/// Adds.
#[inline]
pub fn add<'a>(x: &'a i32, y: i32) -> i32 { if *x > 0 && y > 0 { x + y } else { 0 } }

pub mod inner {
    pub const QUOTE: char = '"';
    pub const TEXT: &str = r#"#[cfg(test)] mod fake { "#;
}
`
const same = (before: string, after: string): boolean => {
  const [old, now] = [productionCode(before), productionCode(after)]
  if ('problem' in old || 'problem' in now) return false
  return JSON.stringify(old) === JSON.stringify(now)
}
const tests = (body: string): string => `#[cfg(test)]\nmod tests {\n${body}\n}\n`

describe('a test module', () => {
  it.each([
    [
      'at the end',
      `${PRODUCTION}\n${tests('use super::*;\n#[test]\nfn adds() { assert_eq!(add(&1, 2), 3); }')}`,
    ],
    ['between items', PRODUCTION.replace('pub mod inner', `${tests('#[test] fn a() {}')}\npub mod inner`)],
    ['in a module', PRODUCTION.replace('pub mod inner {', `pub mod inner {\n${tests('#[test] fn a() {}')}`)],
    [
      'with other attributes, and seen elsewhere',
      `${PRODUCTION}#[cfg(test)] #[allow(unused)] pub(crate) mod t { }`,
    ],
    [
      'with brackets in strings, characters and comments',
      `${PRODUCTION}${tests('// }\n/* } /* } */ } */ const A: &str = "}\\"}"; const B: char = \'}\'; const C: &str = r##"}"#}"##;')}`,
    ],
    ['in a file of its own', `${PRODUCTION}#[cfg(test)]\nmod tests;\n`],
    ['behind a remark', PRODUCTION.replace('pub mod inner {', 'pub mod inner { #[cfg(test)] mod a {} ')],
  ])('[F8] %s is no production code', (_where, after) => {
    expect(same(PRODUCTION, after)).toBe(true)
    expect(same(after, PRODUCTION)).toBe(true)
  })

  it('may be changed and removed', () => {
    expect(same(PRODUCTION + tests('fn a() {}'), PRODUCTION + tests('fn b() { loop {} }'))).toBe(true)
  })

  it('may come first in a file, also behind its own description', () => {
    expect(same('//! All.\nfn a() {}\n', `//! All.\n${tests('')}fn a() {}\n`)).toBe(true)
    expect(same('fn a() {}\n', `${tests('')}fn a() {}\n`)).toBe(true)
  })
})

describe('production code', () => {
  it.each([
    ['a changed line', PRODUCTION.replace('x + y', 'x - y')],
    ['an added function', `${PRODUCTION}pub fn evil() {}\n`],
    [
      'a module that is closed early',
      `${PRODUCTION}#[cfg(test)] mod tests { } pub fn evil() {} mod more { }`,
    ],
    [
      'a module that is closed in what only looks like a string',
      `${PRODUCTION}#[cfg(test)] mod tests { const A: char = '"'; } pub fn evil() {} const B: char = '"';`,
    ],
    [
      'a module that is closed behind a lifetime',
      `${PRODUCTION}#[cfg(test)] mod tests { fn a<'a>() {} } pub fn evil<'a>() {}`,
    ],
    [
      'a module that is closed behind a comment in a comment',
      `${PRODUCTION}#[cfg(test)] mod tests { /* /* */ */ } pub fn evil() {} /* */`,
    ],
    [
      'production that is hidden from the program',
      PRODUCTION.replace('pub mod inner', '#[cfg(test)]\npub mod inner'),
    ],
    ['another condition', `${PRODUCTION}#[cfg(not(test))] mod tests { pub fn evil() {} }`],
    [
      'one that holds in more than tests',
      `${PRODUCTION}#[cfg(any(test, unix))] mod tests { pub fn evil() {} }`,
    ],
    ['a condition of something else than a module', `${PRODUCTION}#[cfg(test)] fn helper() {}`],
    [
      'a condition that a string only speaks of',
      `${PRODUCTION}const A: &str = "#[cfg(test)] mod a {"; pub fn evil() {} const B: &str = "}";`,
    ],
    ['a condition in a comment', `${PRODUCTION}/* #[cfg(test)] mod a { */ pub fn evil() {} /* } */`],
    ['a condition in a macro', `${PRODUCTION}some_macro! { #[cfg(test)] mod a { pub fn evil() {} } }`],
    ['a condition in a function', PRODUCTION.replace('{ if', '{ #[cfg(test)] mod a { } if')],
    [
      'an attribute that is taken from its function',
      PRODUCTION.replace('#[inline]\n', `#[inline]\n${tests('')}`),
    ],
    [
      'a description that is taken from its function',
      PRODUCTION.replace('/// Adds.\n', `/// Adds.\n${tests('')}`),
    ],
    ['an operator that is taken apart', PRODUCTION.replace('&& y', '& & y')],
    ['a comment that says something else', PRODUCTION.replace('/// Adds.', '/// Subtracts.')],
    ['a remark beside a test module', `${PRODUCTION}// trust me\n${tests('')}`],
    ['a whole file that is for tests only', `#![cfg(test)]\n${PRODUCTION}`],
    ['what is not closed', `${PRODUCTION}${tests('/* ')}`],
    [
      'a string that ends elsewhere in an older edition',
      `${PRODUCTION}${tests('m!(cr"\\" " ); } pub fn evil() {} #[cfg(test)] mod u { m!(" \\"");')}`,
    ],
    ['what is closed too often', `${PRODUCTION}${tests('} }')}`],
    ['a string without an end', `${PRODUCTION}${tests('const A: &str = "')}`],
  ])('[F8] %s is noticed', (_what, after) => {
    expect(same(PRODUCTION, after)).toBe(false)
  })

  it('a test module that is one no longer is noticed', () => {
    const before = PRODUCTION + tests('pub fn helper() {}')
    expect(same(before, before.replace('#[cfg(test)]\nmod tests', 'mod tests'))).toBe(false)
  })
})
