// npm run dev: the server and the application, under one address. The application passes /server on to the server, so
// the cookie that holds the session belongs to the address that people see, and no script can read it.
import { spawn, spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'

const port = process.env.PORT ?? '3000'
const serverPort = process.env.SERVER_PORT ?? '1337'
const env = {
  ...process.env,
  COUNTERSIGN_URL: `http://localhost:${serverPort}`,
  COUNTERSIGN_PUBLIC_URL: `http://localhost:${port}`,
}
const countersign = ['node_modules/countersign/bin/countersign.js']
// Vite alone says nothing: Vitest, which runs the tests, brings it along.
const app = existsSync('node_modules/next/dist/bin/next')
  ? ['node_modules/next/dist/bin/next', 'dev', '--port', port]
  : ['node_modules/vite/bin/vite.js', '--port', port, '--strictPort']

// The classes as countersign.schema.ts has them, and types of them for the application.
for (const words of [
  ['schema', 'apply'],
  ['types', '--out', 'countersign.d.ts'],
]) {
  const { status } = spawnSync(process.execPath, [...countersign, ...words], { stdio: 'inherit', env })
  if (status !== 0) process.exit(status ?? 1)
}

const children = [
  spawn(process.execPath, [...countersign, 'start', '--port', serverPort], { stdio: 'inherit', env }),
  spawn(process.execPath, app, { stdio: 'inherit', env: { ...env, PORT: port } }),
]
const stop = () => {
  for (const child of children) child.kill()
}
for (const child of children)
  child.on('exit', (code) => {
    process.exitCode ||= code ?? 0
    stop()
  })
process.on('SIGINT', stop)
process.on('SIGTERM', stop)
