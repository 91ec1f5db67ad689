#!/usr/bin/env node
// npm create countersign [folder] -- [--template vite|next-app|next-pages|server]
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { basename, join, resolve } from 'node:path'
import { createInterface } from 'node:readline/promises'
import { parseArgs } from 'node:util'

const templates = {
  vite: 'Vite and React',
  'next-app': 'Next.js, app router',
  'next-pages': 'Next.js, pages router',
  server: 'the server alone',
}
const help = `npm create countersign [folder] -- [options]

  --template NAME   ${Object.entries(templates)
    .map(([name, text]) => `${name.padEnd(12)}${text}`)
    .join('\n                    ')}
  --help            this text

What is not given is asked for. The folder must be empty, or not exist yet.
`

/** A mistake of the person, told without a stack. */
function fail(text) {
  console.error(`\n${text}`)
  process.exit(1)
}

function readArguments() {
  try {
    return parseArgs({
      allowPositionals: true,
      options: { template: { type: 'string', short: 't' }, help: { type: 'boolean', short: 'h' } },
    })
  } catch (error) {
    return fail(`${error.message}\n\n${help}`)
  }
}

/** Asks in a terminal; otherwise uses the default. */
async function ask(question, proposed) {
  if (!process.stdin.isTTY) return proposed
  const terminal = createInterface({ input: process.stdin, output: process.stdout })
  try {
    return (await terminal.question(`${question} (${proposed}): `)).trim() || proposed
  } finally {
    terminal.close()
  }
}

async function askForTemplate() {
  const names = Object.keys(templates)
  if (process.stdin.isTTY)
    names.forEach((name, place) => {
      console.log(`  ${place + 1}  ${name.padEnd(12)}${templates[name]}`)
    })
  const answer = await ask('Which template?', '1')
  return names[Number(answer) - 1] ?? answer
}

const { values, positionals } = readArguments()
if (values.help) {
  console.log(help)
  process.exit(0)
}
if (positionals.length > 1) fail(`One folder, not ${positionals.length}: ${positionals.join(', ')}`)
const folder = resolve(positionals[0] ?? (await ask('Name of the new folder?', 'my-app')))
const name = basename(folder)
if (!/^[a-z0-9][a-z0-9._-]{0,99}$/.test(name))
  fail(`"${name}" cannot be the name of a package. Use small letters, digits, "-", "_" and ".", at most 100.`)
if (existsSync(folder) && readdirSync(folder).some((entry) => entry !== '.git'))
  fail(`${folder} is not empty. Choose another folder.`)
const template = values.template ?? (await askForTemplate())
if (!Object.hasOwn(templates, template))
  fail(`There is no template "${template}". There are: ${Object.keys(templates).join(', ')}`)

const { version } = JSON.parse(readFileSync(new URL('package.json', import.meta.url), 'utf8'))
mkdirSync(folder, { recursive: true })
const parts = template === 'server' ? [] : ['application', ...(template.startsWith('next-') ? ['next'] : [])]
for (const part of ['shared', ...parts, template]) {
  cpSync(new URL(`templates/${part}/`, import.meta.url), folder, { recursive: true })
}
// npm leaves out files of this name when it packs.
renameSync(join(folder, '_gitignore'), join(folder, '.gitignore'))
for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true }).filter((each) => each.isFile())) {
  const file = join(entry.parentPath, entry.name)
  const text = readFileSync(file, 'utf8')
  writeFileSync(file, text.replaceAll('{{name}}', name).replaceAll('{{version}}', version))
}

console.log(`
Created ${name} (${templates[template]}).

  cd ${positionals[0] ?? name}
  npm install
  npm run dev

npm test signs in with a test wallet and tries the rules. README.md says where things are.`)
