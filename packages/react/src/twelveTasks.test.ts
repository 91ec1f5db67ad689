// @vitest-environment node
import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

// It is compiled with everything else: tsconfig.json refers to it.
test('the example with twelve tasks has at most 110 lines, empty ones not counted', () => {
  const folder = new URL('../../../examples/twelve-tasks/', import.meta.url)
  const files = ['app.tsx', 'app.test.tsx'].map((name) => readFileSync(new URL(name, folder), 'utf8'))
  const lines = files.flatMap((text) => text.split('\n')).filter((line) => line.trim() !== '')
  expect(lines.length).toBeLessThanOrEqual(110)
})
