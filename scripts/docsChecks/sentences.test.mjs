import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { root } from '../steps/root.mjs'

/** Code that decides by the words of an error of ours. Words of wallets, nodes and browsers are not ours to name. */
const comparisons =
  /(?<!(?:cause|answer|fault|said)[?!]?|typeof body)\.(?:message|details)[?!]?\.?(?:\s*[!=]==?\s*['"`/]|\.(?:startsWith|endsWith|includes|match|search)\()|\/[a-z]*\.test\((?:error|refusal|failure|problem)\.(?:message|details)\)/

const folders = ['packages/react/src', 'packages/moralis/src', 'packages/server/src', 'apps/web/src']

/** @param {string} code */
const listComparisons = (code) =>
  code
    .split('\n')
    .map((line, index) => /** @type {const} */ ([line, index + 1]))
    .filter(([line]) => comparisons.test(line))

test('no shipped code compares the sentence or the details of an error; it compares the reason', () => {
  const found = folders.flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
      .filter((file) => /\.tsx?$/.test(file) && !/\.test\.|testing\/|testWallet\//.test(file))
      .flatMap((file) =>
        listComparisons(readFileSync(join(root, folder, file), 'utf8')).map(
          ([line, number]) => `${folder}/${file}:${number} ${line.trim()}`,
        ),
      ),
  )
  expect(found.filter((line) => !foreign.some((part) => line.includes(part)))).toEqual([])
})

/** Errors of other people's code, which have no reason. */
const foreign = ['core/chain/explainRevert.ts', 'src/main.tsx', 'core/wallet/watchEip1193.ts']

test.each([
  "if (error.message === 'Object not found.') return",
  "return error.details?.startsWith('step-up')",
  'const isWrong = /^invalid/i.test(error.message)',
  "error.code === 100 && !error.message.includes('of this chain')",
])('a planted comparison is found: %s', (line) => {
  expect(listComparisons(line)).toHaveLength(1)
})
