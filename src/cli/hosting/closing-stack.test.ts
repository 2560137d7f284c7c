import { describe, expect, it } from 'vitest'
import { createClosingStack } from './closing-stack.ts'

const open = (failing: readonly string[] = []) => {
  const stack = createClosingStack()
  const closed: string[] = []
  for (const name of ['lock', 'journal', 'server'])
    stack.defer(async () => {
      await Promise.resolve()
      closed.push(name)
      if (failing.includes(name)) throw new Error(`${name} would not close`)
    })
  return { stack, closed }
}

describe('a closing stack', () => {
  it('closes in reverse, one after the other', async () => {
    const { stack, closed } = open()
    await stack.close()
    expect(closed).toEqual(['server', 'journal', 'lock'])
  })

  it('closes everything once', async () => {
    const { stack, closed } = open()
    await Promise.all([stack.close(), stack.close()])
    await stack.close()
    expect(closed.toSorted()).toEqual(['journal', 'lock', 'server'])
  })

  it('closes the rest where one fails, and then says what failed first', async () => {
    const { stack, closed } = open(['server', 'lock'])
    await expect(stack.close()).rejects.toThrow('server would not close')
    expect(closed).toEqual(['server', 'journal', 'lock'])
  })
})
