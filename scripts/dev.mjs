// npm run dev: the server and the web application, both following the sources. Ctrl-C ends all.
import { spawn } from 'node:child_process'
import { existsSync, mkdirSync, watch } from 'node:fs'
import { join } from 'node:path'
import { installDependencies } from './steps/installDependencies.mjs'
import { checkNode } from './steps/programs/checkNode.mjs'
import { root } from './steps/root.mjs'
import { afterDeath } from './steps/run/afterDeath.mjs'
import { runMain } from './steps/run/runMain.mjs'
import { watchParent } from './steps/run/watchParent.mjs'

const packages = ['protocol', 'react', 'server'].map((name) => join(root, 'packages', name))
const serverEntry = join(root, 'packages/server/dist/cli/main.js')
const port = process.env.PORT ?? '1337'

/** @type {Set<import('node:child_process').ChildProcess>} */
const children = new Set()
let isStopping = false

/**
 * @param {string[]} parameters of node
 * @param {{ cwd?: string, env?: NodeJS.ProcessEnv }} [options]
 */
function run(parameters, options) {
  // Outside the terminal's process group, so that each child gets one signal, from us.
  const child = spawn(process.execPath, parameters, {
    cwd: root,
    ...options,
    stdio: ['ignore', 'inherit', 'inherit'],
    detached: process.platform !== 'win32',
  })
  const callOff = afterDeath('kill -TERM -- "-$1"', [String(child.pid)])
  children.add(child)
  child.on('exit', () => {
    callOff()
    children.delete(child)
    if (isStopping && children.size === 0) process.exit(0)
  })
  return child
}

/**
 * The compiler runs in a child of its own launcher, which does not pass signals on.
 *
 * @param {import('node:child_process').ChildProcess} child
 * @param {NodeJS.Signals} signal
 */
function signalGroup(child, signal) {
  if (child.pid === undefined) return
  if (process.platform === 'win32') child.kill(signal)
  else process.kill(-child.pid, signal)
}

function stop() {
  if (isStopping) return
  isStopping = true
  if (children.size === 0) process.exit(0)
  for (const child of children) signalGroup(child, 'SIGTERM')
  setTimeout(() => {
    for (const child of children) signalGroup(child, 'SIGKILL')
  }, 10_000).unref()
}

/** Keeps the server running on the newest build; it must have let go of its data folder before the next one starts. */
function followServer() {
  /** @type {import('node:child_process').ChildProcess | undefined} */
  let server
  /** @type {NodeJS.Timeout | undefined} */
  let timer
  const restart = () => {
    if (isStopping) return
    if (server && children.has(server)) {
      server.once('exit', restart)
      signalGroup(server, 'SIGTERM')
      server = undefined
      return
    }
    if (!existsSync(serverEntry)) return
    // The page comes from Vite's port, so wallets are asked to sign in there.
    const origins = process.env.COUNTERSIGN_WALLET_ORIGINS ?? 'http://localhost:5173,http://127.0.0.1:5173'
    server = run(['--enable-source-maps', serverEntry, 'start', ...process.argv.slice(2)], {
      env: { ...process.env, COUNTERSIGN_WALLET_ORIGINS: origins },
    })
  }
  for (const folder of packages.filter((path) => !path.endsWith('react')).map((path) => join(path, 'dist'))) {
    mkdirSync(folder, { recursive: true })
    watch(folder, { recursive: true }, (_event, name) => {
      // The built web application lies there too, and declarations change nothing at run time.
      if (!name?.endsWith('.js') || name.startsWith('web')) return
      clearTimeout(timer)
      timer = setTimeout(restart, 200)
    })
  }
  restart()
}

await runMain(async () => {
  checkNode()
  await installDependencies()
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, stop)
  watchParent(stop)
  run([join(root, 'node_modules/typescript/bin/tsc'), '-b', '--watch', '--preserveWatchOutput', ...packages])
  followServer()
  const vite = run([join(root, 'node_modules/vite/bin/vite.js')], {
    cwd: join(root, 'apps/web'),
    env: { ...process.env, COUNTERSIGN_DEV_SERVER: process.env.COUNTERSIGN_DEV_SERVER ?? `http://127.0.0.1:${port}` },
  })
  vite.on('exit', (code) => {
    if (code) stop()
  })
})
