import { expect, test } from 'vitest'
import { createQueue } from './createQueue.ts'

test('tasks run one after another, the first at once, and a failed one lets the next go on', async () => {
  const { run } = createQueue()
  const log: string[] = []
  const task = (name: string, fails = false) =>
    run(async () => {
      log.push(`${name} starts`)
      await new Promise((resolve) => setTimeout(resolve, 5))
      log.push(`${name} ends`)
      if (fails) throw new Error(name)
      return name
    })
  const first = task('first', true)
  expect(log).toEqual(['first starts'])
  const second = task('second')
  const third = task('third')
  await expect(first).rejects.toThrow('first')
  expect(await Promise.all([second, third])).toEqual(['second', 'third'])
  expect(log).toEqual(['first starts', 'first ends', 'second starts', 'second ends', 'third starts', 'third ends'])
})
