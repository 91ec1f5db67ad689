// npm run prose: fails on new uses of forbidden words and on pages that are hard to read.
// npm run prose -- --pages    readability by page
// npm run prose -- --before REF    words, readability and findings by page, now and at a commit
// npm run prose -- --list WORD    all places of a rule
// npm run prose -- --lower    writes the lower counts into the budget after words were removed
import { writeFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { budgetFile, compareProse, lowerBudget, readBudget, readProse } from './prose/checkProse.mjs'
import { comparePages } from './prose/comparePages.mjs'

const { values } = parseArgs({
  options: {
    ...{ pages: { type: 'boolean' }, lower: { type: 'boolean' }, list: { type: 'string' } },
    before: { type: 'string' },
  },
})
if (values.before !== undefined) {
  console.log(await comparePages(values.before))
  process.exit(0)
}
const prose = await readProse()

if (values.list !== undefined)
  for (const { file, line, text } of Object.values(prose.findings[values.list] ?? {}).flat())
    console.log(`${file}:${line} ${text.trim()}`)

if (values.pages) {
  console.log('readable %   passive   complex   words')
  for (const [file, { words, readability, passive, complex }] of [...prose.grades].sort(byReadability))
    console.log([readability, passive, complex, words].map((each) => String(each).padStart(9)).join(' '), ` ${file}`)
}
if (values.lower) writeFileSync(budgetFile, `${JSON.stringify(lowerBudget(prose, readBudget()), undefined, 2)}\n`)

const faults = compareProse(prose, readBudget())
for (const fault of faults) console.error(`✗ ${fault}`)
const found = Object.entries(prose.findings).map(([rule, places]) => `${rule} ${Object.values(places).flat().length}`)
console.log(`Counts within the budget: ${found.join(' · ')}`)
if (faults.length > 0) console.error('\nWords to use instead: docs/glossary.md')
process.exit(faults.length === 0 ? 0 : 1)

/**
 * @param {[string, import('./prose/gradePages.mjs').Grade]} a
 * @param {[string, import('./prose/gradePages.mjs').Grade]} b
 */
function byReadability([, a], [, b]) {
  return a.readability - b.readability
}
