// Prints what one password costs each competitor, in µs of CPU: the same code with the same settings, with nothing
// around it and as many in flight as the thread pool takes.
import { createRequire } from 'node:module'
import { Algorithm, hash, verify } from '@node-rs/argon2'
import { hashPassword, verifyPassword } from 'better-auth/crypto'

const parsePassword = createRequire(import.meta.url)('parse-server/lib/password.js')
const password = 'pass phrase 1 of many'
const argon = { algorithm: Algorithm.Argon2id, memoryCost: 19_456, timeCost: 2, parallelism: 1 }
const seconds = Number(process.argv[2] ?? 1)

const kinds = {
  'argon2id m=19456 t=2 p=1': {
    hash: () => hash(password, argon),
    verify: (/** @type {string} */ hashed) => verify(hashed, password),
  },
  'bcrypt cost 10': {
    hash: () => parsePassword.hash(password),
    verify: (/** @type {string} */ hashed) => parsePassword.compare(password, hashed),
  },
  'scrypt N=16384 r=16 p=1': {
    hash: () => hashPassword(password),
    verify: (/** @type {string} */ hashed) => verifyPassword({ hash: hashed, password }),
  },
}

/** @param {() => Promise<unknown>} work */
async function cpuEach(work) {
  await work()
  const before = process.cpuUsage()
  const until = performance.now() + seconds * 1000
  let done = 0
  const loop = async () => {
    while (performance.now() < until) {
      await work()
      done += 1
    }
  }
  await Promise.all([loop(), loop(), loop(), loop()])
  const { user, system } = process.cpuUsage(before)
  return Math.round((user + system) / done)
}

/** @type {Record<string, { hash: number, verify: number }>} */
const costs = {}
for (const [name, kind] of Object.entries(kinds)) {
  const hashed = await kind.hash()
  if ((await kind.verify(hashed)) !== true) throw new Error(`${name} does not verify its own hash`)
  costs[name] = { hash: await cpuEach(kind.hash), verify: await cpuEach(() => kind.verify(hashed)) }
}
console.log(JSON.stringify(costs))
