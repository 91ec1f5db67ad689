// npm run words [-- de fr]: lists missing texts, texts with two meanings
// and wrong terms of each language, and removes unused texts. Fails if there are any.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { checkTerms, listTranslations, readTerms } from './steps/checkTerms.mjs'
import { dictionaries, languages } from './steps/languages.mjs'
import { readWords } from './steps/readWords.mjs'

const wanted = process.argv.slice(2)
const { said, console: ofConsole, faults } = readWords()
let failures = faults.length
for (const fault of faults) console.log(`✗ ${fault}`)
for (const language of languages.filter((each) => wanted.length === 0 || wanted.includes(each))) {
  const files = dictionaries.map(({ fileOf }) => fileOf(language))
  const read = (/** @type {string} */ file) => (existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : {})
  // A text may have been written into either file: it moves to the one where it belongs.
  const words = Object.assign({}, ...files.map(read))
  const texts = [...said.keys()].sort()
  for (const { isConsole, fileOf } of dictionaries) {
    const kept = texts.filter((text) => words[text] && ofConsole.has(text) === isConsole)
    mkdirSync(dirname(fileOf(language)), { recursive: true })
    const content = Object.fromEntries(kept.map((text) => [text, words[text]]))
    writeFileSync(fileOf(language), `${JSON.stringify(content, undefined, 2)}\n`)
  }
  const lacking = texts.filter((text) => !words[text])
  console.log(`${lacking.length === 0 ? '✓' : '✗'} ${language}: ${texts.length - lacking.length} of ${texts.length}`)
  const wrong = checkTerms(language, listTranslations(language, said), readTerms())
  failures += lacking.length + wrong.length
  for (const fault of wrong) console.log(`✗ ${fault}`)
  for (const text of lacking)
    console.log(`    ${JSON.stringify(text)}${said.get(text) === text ? '' : `: ${JSON.stringify(said.get(text))}`}`)
}
process.exitCode = failures > 0 ? 1 : 0
