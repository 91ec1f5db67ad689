// npm run demo [-- --port 4000 --fresh]: the product with a chain of its own, offline.
import { spawn } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { join, relative, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { buildUnits } from './steps/buildUnits.mjs'
import { installDependencies } from './steps/installDependencies.mjs'
import { checkNode } from './steps/programs/checkNode.mjs'
import { root } from './steps/root.mjs'
import { afterDeath } from './steps/run/afterDeath.mjs'
import { runMain } from './steps/run/runMain.mjs'
import { runStep } from './steps/run/runStep.mjs'
import { StepError } from './steps/run/StepError.mjs'
import { watchParent } from './steps/run/watchParent.mjs'

/**
 * @typedef {object} About
 * @property {string} node
 * @property {number} chainId
 * @property {string} appId
 * @property {string} [claim] opens the console, as long as it has no administrator
 * @property {{ name: string, password: string, address: string }} user
 * @property {string} token
 * @property {string} picture
 */

const server = join(root, 'packages/server')

/** @type {import('node:child_process').ChildProcess[]} */
const children = []
let isStopping = false
let isReady = false

await runMain(async () => {
  const { port, folder, fresh, pace, help } = readArguments()
  if (help) return printHelp()
  checkNode()
  await checkPort(Number(port))
  prepareFolder(folder, fresh)
  await installDependencies()
  await buildUnits()
  for (const signal of /** @type {const} */ (['SIGINT', 'SIGTERM', 'SIGHUP'])) process.on(signal, () => stop(0))
  watchParent(() => stop(0))

  const isNew = !existsSync(join(folder, 'world.json'))
  const program = join(server, 'src/testing/demo/main.ts')
  const chain = run(['--import', 'jiti/register', program, folder, pace], ['ignore', 'inherit', 'inherit', 'ipc'])
  const { config } = await runStep(
    isNew ? 'Making a chain with some weeks of history' : 'Taking the chain up again',
    () => hear(chain, 'seeded'),
  )
  const file = join(folder, 'countersign.config.json')
  writeFileSync(file, JSON.stringify({ ...config, cloud: join(folder, 'cloud') }, null, 2))
  const parameters = ['start', '--port', port, '--data', join(folder, 'server'), '--config', file]
  const { stdout } = run([join(server, 'bin/countersign.js'), ...parameters], ['ignore', 'pipe', 'inherit'])
  // The server's own start message is replaced by ours below.
  stdout?.on('data', (chunk) => isReady && process.stdout.write(chunk))
  const url = `http://localhost:${port}`
  if (!(await isThere(`http://127.0.0.1:${port}`))) {
    if (process.exitCode && !isNew) console.error('  To start over: npm run demo -- --fresh\n')
    return
  }
  chain.send({ url: `http://127.0.0.1:${port}` })
  const { about } = await hear(chain, 'ready')
  isReady = true
  printBanner(url, about, file)
})

function readArguments() {
  try {
    const { values } = parseArgs({
      options: {
        port: { type: 'string', default: process.env.PORT || '1337' },
        data: { type: 'string', default: join(root, 'data-demo') },
        pace: { type: 'string', default: '15' },
        fresh: { type: 'boolean', default: false },
        help: { type: 'boolean', short: 'h', default: false },
      },
    })
    if (!/^\d{1,5}$/.test(values.port) || Number(values.port) > 65535) throw new Error('--port must be a port.')
    if (!(Number(values.pace) >= 0)) throw new Error('--pace must be a number of seconds.')
    return { ...values, folder: resolve(values.data) }
  } catch (error) {
    throw new StepError(/** @type {Error} */ (error).message, 'npm run demo -- --help lists the options.')
  }
}

/**
 * Otherwise another process on the port would be taken for our server.
 *
 * @param {number} port
 */
async function checkPort(port) {
  const probe = createServer()
  const isFree = await new Promise((done) => {
    probe.once('error', () => done(false)).listen(port, '127.0.0.1', () => probe.close(() => done(true)))
  })
  if (!isFree) throw new StepError(`Port ${port} is in use.`, `Choose another: npm run demo -- --port ${port + 1}`)
}

/**
 * @param {string} folder
 * @param {boolean} fresh
 */
function prepareFolder(folder, fresh) {
  const names = existsSync(folder) ? readdirSync(folder) : []
  const ours = ['chain.jsonl', 'world.json', 'countersign.config.json', 'cloud', 'server']
  // A slip in --data must not cost anybody a folder of theirs.
  if (names.some((name) => !ours.includes(name)))
    throw new StepError(`${folder} is not a folder of the demo.`, 'Name another one with --data.')
  if (fresh) rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true })
}

/**
 * @param {string[]} parameters of node
 * @param {import('node:child_process').StdioOptions} stdio
 */
function run(parameters, stdio) {
  // Outside the terminal's process group, so that each gets one signal, from us. Settings of another server in the
  // environment are not meant for this one.
  const isForeign = (/** @type {string} */ name) => /^(COUNTERSIGN_|DATABASE_URL$|PORT$|NODE_ENV$)/.test(name)
  const child = spawn(process.execPath, parameters, {
    cwd: root,
    env: Object.fromEntries(Object.entries(process.env).filter(([name]) => !isForeign(name))),
    stdio,
    detached: process.platform !== 'win32',
  })
  const callOff = afterDeath('kill -TERM "$1"', [String(child.pid)])
  children.push(child)
  child.on('exit', (code) => {
    callOff()
    children.splice(children.indexOf(child), 1)
    // One of the two alone is no demo.
    stop(code ?? 1)
  })
  return child
}

/**
 * Ends the one that was started last, which reads from the one before it; then that one.
 *
 * @param {number} code exit code of this process, once the others have ended
 */
function stop(code) {
  const last = children.at(-1)
  if (!isStopping) {
    isStopping = true
    process.exitCode = code
    setTimeout(() => {
      for (const child of children) child.kill('SIGKILL')
    }, 15_000).unref()
  }
  if (!last) process.exit()
  if (!last.killed) last.kill('SIGTERM')
}

/**
 * @param {import('node:child_process').ChildProcess} child
 * @param {'seeded' | 'ready'} is
 * @returns {Promise<{ config: object, about: About }>}
 */
function hear(child, is) {
  return new Promise((done) => {
    const listen = (/** @type {any} */ message) => {
      if (message.is !== is) return
      child.off('message', listen)
      done(message)
    }
    child.on('message', listen)
  })
}

/**
 * Waits for the server.
 *
 * @param {string} url
 * @returns {Promise<boolean>} false where it, or all of this, is ending
 */
async function isThere(url) {
  while (!isStopping) {
    const answer = await fetch(`${url}/ready`, { signal: AbortSignal.timeout(5_000) }).catch(() => undefined)
    if (answer?.ok) return true
    await new Promise((done) => setTimeout(done, 50))
  }
  return false
}

/**
 * @param {string} url
 * @param {About} about
 * @param {string} file
 */
function printBanner(url, { node, chainId, appId, claim, user, token, picture }, file) {
  console.log(`\nThe demo is ready: a chain of its own, with people on it who send each other things.

  Web app   ${url}
  Sign in   as ${user.name} with the password "${user.password}"; or with the demo wallet, which is given ether,
            tokens, pictures and a name as soon as it has signed in
  Console   ${claim ? `open once to become an administrator: ${claim}` : `${url}/admin`}
  API       ${url}/server
  App id    ${appId}
  Chain     ${chainId} at ${node}
  Keys      npx countersign keys --config ${relative('', file)} --data ${relative('', join(file, '../server'))}
  Mail      kept in the outbox: ${url}/outbox
  Again     the next start goes on from here; npm run demo -- --fresh starts over

Ask what is on the chain:

  ask() { curl -s -H 'X-Parse-Application-Id: ${appId}' "${url}/server/$1"; echo; }
  ask chain/demo/addresses/${user.address}/tokens
  ask chain/demo/addresses/${user.address}/nfts
  ask chain/demo/addresses/${user.address}/transfers
  ask chain/demo/names/${user.name}.eth
  ask chain/demo/tokens/${token}/price
  ask chain/demo/nfts/${picture}/owners
  ask 'classes/Transfer?order=-block&limit=5'
`)
}

function printHelp() {
  console.log(`npm run demo             the product with a chain of its own: tokens, pictures, names, prices and some weeks of
                         transfers, without a network

  -- --port N            port of the server (PORT, 1337)
  -- --fresh             forget the chain and the accounts of the last start
  -- --data FOLDER       where both are kept (./data-demo)
  -- --pace SECONDS      time between transfers (15); 0 for none

See docs/demo.md.`)
}
