// npm run words [-- de fr]: what each language of the web application lacks; what is no longer said goes.
import { readFileSync, writeFileSync } from 'node:fs'
import { dictionaryOf, languages } from './steps/languages.mjs'
import { readWords } from './steps/readWords.mjs'

const wanted = process.argv.slice(2)
const { said, faults } = readWords()
for (const fault of faults) console.log(`✗ ${fault}`)
for (const language of languages.filter((each) => wanted.length === 0 || wanted.includes(each))) {
  const file = dictionaryOf(language)
  const words = JSON.parse(readFileSync(file, 'utf8'))
  const texts = [...said.keys()].sort()
  const kept = texts.filter((text) => words[text]).map((text) => [text, words[text]])
  writeFileSync(file, `${JSON.stringify(Object.fromEntries(kept), undefined, 2)}\n`)
  const lacking = texts.filter((text) => !words[text])
  console.log(`${lacking.length === 0 ? '✓' : '✗'} ${language}: ${kept.length} of ${texts.length}`)
  for (const text of lacking)
    console.log(`    ${JSON.stringify(text)}${said.get(text) === text ? '' : `: ${JSON.stringify(said.get(text))}`}`)
}
