#!/usr/bin/env node
// npm create countersign [folder] -- [--template vite|next-app|next-pages|server]
import { spawnSync } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, renameSync, statSync, writeFileSync } from 'node:fs'
import { basename, join, resolve } from 'node:path'
import { createInterface } from 'node:readline'
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

/**
 * Asks in a terminal; otherwise uses the default, and says so. One reader for all questions: another one would lose
 * lines that were typed ahead.
 */
function createQuestions() {
  const isTerminal = process.stdin.isTTY
  const terminal = isTerminal ? createInterface({ input: process.stdin, output: process.stdout }) : undefined
  const typed = terminal?.[Symbol.asyncIterator]()
  return {
    isTerminal,
    close: () => terminal?.close(),
    async ask(question, proposed) {
      if (!terminal) {
        console.log(`${question} ${proposed} (no terminal to ask in)`)
        return proposed
      }
      terminal.setPrompt(`${question} (${proposed}): `)
      terminal.prompt()
      const { value, done } = await typed.next()
      if (done) fail('Stopped: no answer.')
      return value.trim() || proposed
    },
  }
}

async function askForTemplate({ ask, isTerminal }) {
  const names = Object.keys(templates)
  if (!isTerminal) return ask('Template:', 'vite')
  names.forEach((name, place) => {
    console.log(`  ${place + 1}  ${name.padEnd(12)}${templates[name]}`)
  })
  const answer = await ask('Which template?', '1')
  return names[Number(answer) - 1] ?? answer
}

/** npm takes an option before `--` for itself: the name of the template then arrives as a second folder, or not at all. */
function refuseLostOptions(positionals) {
  const { npm_config_template: taken } = process.env
  const name = [taken, positionals[1]].find((each) => each !== undefined && Object.hasOwn(templates, each))
  if (taken === undefined && (positionals.length < 2 || name === undefined)) return
  fail(
    `npm took --template for itself. Put -- before it:\n\n  npm create countersign ${positionals[0] ?? 'my-app'} -- --template ${name ?? 'vite'}`,
  )
}

/** The package.json of a template. */
function readManifest(template) {
  const part = template.startsWith('next-') ? 'next' : template
  return JSON.parse(readFileSync(new URL(`templates/${part}/package.json`, import.meta.url), 'utf8'))
}

const { values, positionals } = readArguments()
if (values.help) {
  console.log(help)
  process.exit(0)
}
refuseLostOptions(positionals)
if (positionals.length > 1) fail(`One folder, not ${positionals.length}: ${positionals.join(', ')}`)
const questions = createQuestions()
const folder = resolve(positionals[0] ?? (await questions.ask('Name of the new folder?', 'my-app')))
const name = basename(folder)
if (!/^[a-z0-9][a-z0-9._-]{0,99}$/.test(name))
  fail(`"${name}" cannot be the name of a package. Use small letters, digits, "-", "_" and ".", at most 100.`)
if (existsSync(folder) && !statSync(folder).isDirectory()) fail(`${folder} is a file. Choose another folder.`)
if (existsSync(folder) && readdirSync(folder).some((entry) => entry !== '.git'))
  fail(`${folder} is not empty. Choose another folder.`)
const template = values.template ?? (await askForTemplate(questions))
questions.close()
if (!Object.hasOwn(templates, template))
  fail(`There is no template "${template}". There are: ${Object.keys(templates).join(', ')}`)

const { dependencies, devDependencies } = readManifest(template)
// npm refuses the first two; the others would stand for the package itself in its own code.
const taken = ['node_modules', 'favicon.ico', ...Object.keys({ ...dependencies, ...devDependencies })]
if (taken.includes(name)) fail(`"${name}" is the name of another package. Choose another folder.`)

const { version } = JSON.parse(readFileSync(new URL('package.json', import.meta.url), 'utf8'))
try {
  mkdirSync(folder, { recursive: true })
} catch (error) {
  fail(`The folder cannot be created: ${error.message}`)
}
const parts = template === 'server' ? [] : ['application', ...(template.startsWith('next-') ? ['next'] : [])]
for (const part of ['shared', ...parts, template]) {
  cpSync(new URL(`templates/${part}/`, import.meta.url), folder, { recursive: true })
}
// npm leaves out files of these names when it packs.
for (const name of ['gitignore', 'dockerignore']) renameSync(join(folder, `_${name}`), join(folder, `.${name}`))
for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true }).filter((each) => each.isFile())) {
  const file = join(entry.parentPath, entry.name)
  const text = readFileSync(file, 'utf8')
  writeFileSync(file, text.replaceAll('{{name}}', name).replaceAll('{{version}}', version))
}

// Without git, or inside a repository, the folder stays as it is.
const isInside = spawnSync('git', ['rev-parse', '--is-inside-work-tree'], { cwd: folder }).status === 0
if (!isInside) spawnSync('git', ['init', '--quiet'], { cwd: folder, stdio: 'ignore' })

console.log(`
Created ${name} (${templates[template]}).

  cd ${positionals[0] ?? name}
  npm install
  npm run dev

npm run dev prints a link that makes you the administrator of the console. README.md lists all addresses.`)
