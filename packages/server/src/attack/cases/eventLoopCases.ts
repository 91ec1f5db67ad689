import { type AttackCase, casesOf } from '../AttackCase.ts'
import { guest, type Scene } from '../createScene.ts'
import { where } from './accessCases.ts'

/** Longest time (ms) that others may wait because of one request, besides what they wait without it. */
const longestDelay = 1_000

/** Longest response time (ms) of the health check while `work` runs. */
async function measure(scene: Scene, work: () => Promise<unknown>): Promise<number> {
  let isOver = false
  let longest = 0
  const watch = (async () => {
    while (!isOver) {
      const { ms } = await scene.call({ name: 'watcher' }, 'GET', '/health')
      longest = Math.max(longest, ms)
      await new Promise((resolve) => setTimeout(resolve, 20))
    }
  })()
  try {
    await work()
  } finally {
    isOver = true
    await watch
  }
  return longest
}

const pause = () => new Promise((resolve) => setTimeout(resolve, 300))

/** Best of three: other programs of the machine may delay one measurement, but hardly all. */
async function checkDelay(scene: Scene, what: string, work: () => Promise<unknown>): Promise<void> {
  let best = Number.POSITIVE_INFINITY
  for (let attempt = 0; attempt < 3; attempt++) {
    const usual = await measure(scene, pause)
    best = Math.min(best, (await measure(scene, work)) - usual)
    if (best <= longestDelay) return
  }
  scene.report('delay', undefined, `${what} delays others by ${Math.round(best)} ms.`)
}

/** Paths and bodies; `:class` is the class of the attack. */
const bodies: [string, string, () => string][] = [
  ['many values', '/login', () => `{"username":[${'1,'.repeat(40_000)}1]}`],
  ['many names', '/classes/:class', () => `{${Array.from({ length: 9_000 }, (_, index) => `"a${index}":1`).join()}}`],
  [
    'a text that grows when it is normalized',
    '/users',
    () => JSON.stringify({ username: '\ufdfa'.repeat(300_000), password: 'x' }),
  ],
  [
    'a text of combining marks',
    '/login',
    () => JSON.stringify({ username: `a${'\u0316\u0301'.repeat(100_000)}`, password: 'x' }),
  ],
  [
    'a long message',
    '/auth/signInWithWallet',
    () => JSON.stringify({ message: `x${'\n'.repeat(400_000)}`, signature: '0x' }),
  ],
  [
    'a long list of conditions',
    '/classes/:class',
    () =>
      JSON.stringify({
        _method: 'GET',
        where: { note: { $in: Array.from({ length: 9_000 }, (_, index) => `v${index}`) } },
      }),
  ],
  ['a deep query', '/classes/:class', () => `{"_method":"GET","where":${'{"$or":['.repeat(300)}{}${']}'.repeat(300)}}`],
  [
    'a large access list',
    '/classes/:class',
    () =>
      JSON.stringify({
        ACL: Object.fromEntries(Array.from({ length: 5_000 }, (_, index) => [`user${index}`, { read: true }])),
      }),
  ],
]
const make = casesOf('event-loop')

export const eventLoopCases: AttackCase[] = [
  ...bodies.map(([what, place, write]) =>
    make(`${what} delays nobody`, 'SEC-4, SEC-5, SEC-18, P13', async (scene, { stranger, className }) => {
      const body = write()
      const path = place.replace(':class', className)
      await checkDelay(scene, what, () => scene.call(stranger, 'POST', path, body))
    }),
  ),
  make('expensive patterns delay nobody', 'SEC-18, P13, CVE-2026-47138', async (scene, { stranger, className }) => {
    const path = `/classes/${className}`
    await scene.call(stranger, 'POST', path, {
      note: `${'a'.repeat(5_000)}!`,
      ACL: { [stranger.id]: { read: true } },
    })
    for (const pattern of ['^(a+)+$', '^(a|aa)+$', '^(.*a){20}$', '(a*)*b', '^(([a-z])+.)+[A-Z]([a-z])+$'])
      await checkDelay(scene, `The pattern ${pattern}`, () =>
        scene.call(stranger, 'GET', `${path}${where({ note: { $regex: pattern } })}`),
      )
  }),
  make('headers delay nobody', 'P13, GHSA-38m6-82c8-4xfm', async (scene) => {
    for (const [name, value] of [
      ['Cookie', `${'a=b; '.repeat(2_500)}`],
      ['X-Forwarded-For', '1.1.1.1,'.repeat(1_500)],
      ['Accept-Language', `${'en;q=0.1,'.repeat(1_200)}`],
      ['User-Agent', `${'Mozilla/5.0 ('.repeat(800)}`],
      ['Content-Type', `multipart/form-data; ${'boundary=; '.repeat(900)}`],
      ['Authorization', `Basic ${'A'.repeat(10_000)}`],
      ['Range', `bytes=${'0-1,'.repeat(2_000)}`],
    ] as const)
      await checkDelay(scene, `A long header ${name}`, () =>
        scene.call(guest, 'POST', '/login', '{}', { headers: { [name]: value } }),
      )
  }),
]
