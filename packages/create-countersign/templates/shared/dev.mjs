// npm run dev: the server, and the application if there is one, with classes and types that follow countersign.schema.ts.
// The application forwards /server, so the session cookie belongs to the address of the page and no script can read it.
// The web application (accounts, console, mails) has the server's own address.
import { spawn } from 'node:child_process'
import { existsSync, watch } from 'node:fs'
import { createInterface } from 'node:readline/promises'

const app = findApplication()
const port = process.env.PORT ?? (app ? '3000' : '1337')
const serverPort = app ? (process.env.SERVER_PORT ?? '1337') : port
const env = {
  COUNTERSIGN_URL: `http://localhost:${serverPort}`,
  COUNTERSIGN_PUBLIC_URL: `http://localhost:${port}`,
  COUNTERSIGN_WEB_URL: `http://localhost:${serverPort}`,
  ...process.env,
}
const countersign = 'node_modules/countersign/bin/countersign.js'

/** Program and arguments of the application's development server. */
function findApplication() {
  if (existsSync('next.config.ts')) return ['node_modules/next/dist/bin/next', 'dev', '--port']
  if (existsSync('vite.config.ts')) return ['node_modules/vite/bin/vite.js', '--strictPort', '--port']
  return undefined
}

const run = (words, options = {}) =>
  new Promise((resolve) => {
    const child = spawn(process.execPath, words, { env, stdio: ['ignore', 'pipe', 'pipe'], ...options })
    let output = ''
    for (const stream of [child.stdout, child.stderr]) stream?.on('data', (text) => (output += text))
    child.once('exit', (code) => resolve({ code, output: output.trim() }))
  })

/** Changes the classes and writes their types. A change that deletes data is made only after a yes. */
async function applySchema() {
  let { code, output } = await run([countersign, 'schema', 'apply'])
  if (code !== 0 && output.includes('--allow-drops')) {
    console.log(output.split('\n\n')[0])
    if (!(await confirm('These changes of countersign.schema.ts delete data. Apply them?'))) {
      console.log('Not applied. To apply them: npx countersign schema apply --allow-drops')
      return true
    }
    ;({ code, output } = await run([countersign, 'schema', 'apply', '--allow-drops']))
  }
  if (!output.startsWith('The database already matches')) console.log(output)
  if (code !== 0) return false
  const types = await run([countersign, 'types', '--out', 'countersign.d.ts'])
  if (types.code !== 0) console.log(types.output)
  return types.code === 0
}

async function confirm(question) {
  if (!process.stdin.isTTY) return false
  const terminal = createInterface({ input: process.stdin, output: process.stdout })
  const answer = await terminal.question(`${question} (y/N) `)
  terminal.close()
  return /^y(es)?$/i.test(answer.trim())
}

if (!(await applySchema())) process.exit(1)

const start = (words, more) =>
  spawn(process.execPath, words, { stdio: ['ignore', 'inherit', 'inherit'], env: { ...env, ...more } })
const children = []
const add = (child) => {
  children.push(child)
  child.on('exit', (code) => {
    process.exitCode ||= code ?? 0
    stop()
  })
}

// Editors replace a file, so its folder is watched.
let timer
let applying = Promise.resolve()
const watcher = watch('.', (_event, name) => {
  if (!name?.startsWith('countersign.schema.')) return
  clearTimeout(timer)
  timer = setTimeout(() => {
    applying = applying.then(applySchema)
  }, 200)
})

let isStopping = false
function stop() {
  isStopping = true
  watcher.close()
  for (const child of children) child.kill()
}
process.on('SIGINT', stop)
process.on('SIGTERM', stop)
// npm passes SIGTERM only to the shell that it starts this with.
const parent = process.ppid
setInterval(() => {
  if (process.ppid !== parent) stop()
}, 250).unref()

add(start([countersign, 'start', '--port', serverPort]))
// The application after the server: its first page would find none.
if (app && (await waitForServer())) add(start([...app, port], { PORT: port }))

async function waitForServer() {
  if (isStopping) return false
  if (await responds()) return true
  await new Promise((resolve) => setTimeout(resolve, 200))
  return waitForServer()
}

function responds() {
  return fetch(`${env.COUNTERSIGN_URL}/ready`).then(
    ({ ok }) => ok,
    () => false,
  )
}
