import { type AttackCase, casesOf } from './AttackCase.ts'
import type { WalkedEndpoint } from './AttackClass.ts'
import { fieldsOf, sample } from './contractSamples.ts'
import { type Cast, renewSpare } from './createCast.ts'
import { guest, type Scene } from './createScene.ts'
import type { Actor, Answer } from './createTarget.ts'
import { pollution } from './invariants.ts'

type Walked = WalkedEndpoint['endpoint']

/**
 * Endpoints that change the whole installation at once. They are called without an application id only: if the
 * server were open, the attack itself would do the harm.
 */
export const installationWide = new Set([
  'rotateKeys',
  'retireKeys',
  'createBackup',
  'applySchema',
  'updateConfig',
  'sendPush',
])

/** Endpoints that respond to everyone, with any application id. */
const forAnyone = new Set(['getHealth'])

/** Cases that follow from the contract of an endpoint. */
export function walkEndpoint({ name, class: of, endpoint }: WalkedEndpoint): AttackCase[] {
  const make = (title: string, sources: string, run: AttackCase['run']) =>
    casesOf(of)(`${name}: ${title}`, sources, run)
  const cases = [
    make('rejects another application id', 'P14', (scene, cast) => tryForeignApplication(scene, name, endpoint, cast)),
  ]
  if (installationWide.has(name)) return cases
  if (endpoint.access) {
    cases.push(
      make(
        'rejects callers without the right, in every form of the request',
        'S27, P10, SEC-2, SEC-19',
        (scene, cast) => tryCallers(scene, name, endpoint, cast),
      ),
    )
  } else if ((endpoint.session ?? 'checked') === 'checked' && !name.startsWith('functions/') && !forAnyone.has(name)) {
    cases.push(
      make('rejects an ended session', 'S27, GHSA cache of a deleted session', (scene, cast) =>
        tryEndedSessions(scene, name, endpoint, cast),
      ),
    )
  }
  if (endpoint.path.includes(':') && of !== 'chain')
    cases.push(
      make('gives nothing of another user', 'SEC-54, P5', (scene, cast) => tryForeignIds(scene, endpoint, cast)),
    )
  cases.push(
    make('rejects malformed input', 'SEC-4, SEC-5, P1, P3, P17', (scene, cast) => tryMalformed(scene, endpoint, cast)),
  )
  return cases
}

type Filled = { method: string; path: string; body: object }

/** A request as the contract describes it, with ids of the victim. */
export function fill({ method, path, input }: Walked, cast: Cast): Filled {
  const ids: Record<string, string | undefined> = {
    '/users': cast.victim.id,
    '/console/users': cast.victim.id,
    '/console/operators': cast.victim.id,
    '/sessions': cast.victimSession,
    '/auth/wallets': cast.victimWallet,
    '/classes/:className': cast.doc,
    '/classes/_User': cast.victim.id,
    '/classes/_Session': cast.victimSession,
  }
  const [before = ''] = path.split('/:objectId')
  const filled = path
    .replace(':className', cast.className)
    .replace(':objectId', ids[before] ?? 'nosuch')
    .replace(/:(chain|network)\b/, '1')
    .replaceAll(/:\w+/g, 'nosuch')
  const sampled = input ? (sample(input) as Record<string, unknown>) : {}
  // Valid names would create accounts that nobody expects.
  if ('username' in sampled) sampled.username = ''
  return { method, path: filled, body: sampled }
}

export function send(scene: Scene, as: Actor, { method, path, body }: Filled, more = {}): Promise<Answer> {
  if (method === 'GET') return scene.call(as, method, `${path}${writeQuery(body)}`, undefined, more)
  return scene.call(as, method, path, body, more)
}

function writeQuery(input: object): string {
  const entries = Object.entries(input).map(([key, value]): [string, string] => [
    key,
    typeof value === 'string' ? value : (JSON.stringify(value) ?? ''),
  ])
  return entries.length > 0 ? `?${new URLSearchParams(entries)}` : ''
}

async function tryForeignApplication(scene: Scene, name: string, endpoint: Walked, cast: Cast) {
  if (forAnyone.has(name)) return
  const request = fill(endpoint, cast)
  for (const appId of ['', 'another-application', '__proto__'])
    scene.refused(await send(scene, guest, request, { appId }), `${name} accepts the application id "${appId}".`)
}

/** Every form in which one request may be sent. */
async function sendAll(scene: Scene, as: Actor, request: Filled, isShort = false): Promise<Answer[]> {
  const { method, path, body } = request
  const { appId, mount } = scene.target
  const query = method === 'GET' ? writeQuery(body) : ''
  const answers = [await send(scene, as, request)]
  if (isShort) return answers
  answers.push(
    await scene.call(
      { name: as.name },
      'POST',
      path,
      JSON.stringify({
        ...body,
        _method: method,
        _ApplicationId: appId,
        ...(as.token !== undefined && { _SessionToken: as.token }),
      }),
      { appId: '', headers: { 'Content-Type': 'text/plain' } },
    ),
  )
  answers.push(
    asOne(await scene.call(as, 'POST', '/batch', { requests: [{ method, path: `${mount}${path}${query}`, body }] })),
  )
  for (const variant of [`${path}/`, path.replace(/[a-z]/, (letter) => `%${letter.charCodeAt(0).toString(16)}`)])
    answers.push(await send(scene, as, { ...request, path: variant }))
  return answers
}

/** Response to the only request of a batch, as if it had been sent alone. */
function asOne(batch: Answer): Answer {
  if (!Array.isArray(batch.body)) return batch
  const [first] = batch.body as { error?: { code?: number } }[]
  return { ...batch, status: first?.error ? 400 : 200 }
}

async function tryCallers(scene: Scene, name: string, endpoint: Walked, cast: Cast): Promise<void> {
  const callers: Actor[] = [guest, cast.ended, cast.deleted, ...(endpoint.access === 'user' ? [] : [cast.stranger])]
  const request = fill(endpoint, cast)
  for (const caller of callers)
    for (const answer of await sendAll(scene, caller, request, caller === cast.deleted))
      scene.refused(answer, `${name} responds to ${caller.name}, although it needs ${rightsOf(endpoint)}.`)
  if (endpoint.access === 'user') return
  const asOperator = { headers: { 'X-Countersign-Console': '1' } }
  scene.refused(
    await send(scene, cast.stranger, request, asOperator),
    `${name} takes a user for an operator because of a header.`,
  )
}

const rightsOf = ({ access }: Walked) =>
  access === 'user' ? 'a session' : access === 'master' ? 'the master key' : 'an operator'

async function tryEndedSessions(scene: Scene, name: string, endpoint: Walked, cast: Cast): Promise<void> {
  for (const caller of [cast.ended, cast.deleted])
    scene.refused(await send(scene, caller, fill(endpoint, cast)), `${name} responds to ${caller.name}.`)
}

/** Nothing may show or change what the victim has; the invariants find what is shown, the snapshot what is changed. */
async function tryForeignIds(scene: Scene, endpoint: Walked, cast: Cast): Promise<void> {
  const request = fill(endpoint, cast)
  for (const caller of [guest, cast.stranger]) await sendAll(scene, caller, request)
}

const longText = 'x'.repeat(20_000)
/** Below the limit of Node.js for a request line, in all fields together. */
const longestQuery = 8_000
/** Texts that databases, parsers or terminals treat specially. */
const oddTexts = ['\u0000', '\ud800', '\u202e\u2066abc', "'; select pg_sleep(9) --", '../../../etc/passwd', '%00%ff']

/** Inputs that no endpoint may fail on. */
function malform(endpoint: Walked): object[] {
  const fields = fieldsOf(endpoint.input)
  const names = fields.length > 0 ? fields : ['attackValue']
  const all = (value: unknown) => Object.fromEntries(names.map((name) => [name, value]))
  const mixed = (offset: number) =>
    Object.fromEntries(names.map((name, index) => [name, oddTexts[(index + offset) % oddTexts.length]]))
  const isQuery = endpoint.method === 'GET'
  return [
    ...[{ $ne: null }, -1e308, isQuery ? 'x'.repeat(longestQuery / names.length) : longText].map(all),
    ...(isQuery ? [] : [all(null), all([[]])]),
    ...[0, 1, 3, 5].map(mixed),
    ...(isQuery
      ? []
      : [
          all({ __type: 'Pointer', className: '__proto__', objectId: 'constructor' }),
          all({ __op: 'Increment', amount: "1'" }),
        ]),
  ]
}

/** Keys of JSON that objects inherit; written as text, because a literal would set the prototype. */
const pollutingText = `{"__proto__":{"polluted":"${pollution}"},"constructor":{"prototype":{"polluted":"${pollution}"}},"prototype":{"polluted":"${pollution}"}}`
const deepText = `{"value":${'['.repeat(2_000)}${']'.repeat(2_000)}}`
const wideText = `{${Array.from({ length: 9_000 }, (_, index) => `"k${index}":0`).join()}}`

async function tryMalformed(scene: Scene, endpoint: Walked, cast: Cast): Promise<void> {
  const { method, path } = fill(endpoint, cast)
  // Not the victim's things: a valid part of the input would change them.
  const own = path.replace(/\/(users|_User)\/\w+/, `/$1/${cast.spare.id}`)
  // Callers without the right are rejected before the body is read: a few are enough.
  const isClosed = endpoint.access === 'master' || endpoint.access === 'operator'
  const bodies = malform(endpoint)
  for (const body of isClosed ? bodies.slice(0, 2) : bodies) await send(scene, cast.spare, { method, path: own, body })
  if (method !== 'GET')
    for (const body of isClosed ? [pollutingText, deepText] : [pollutingText, deepText, wideText, '[1]'])
      await scene.call(cast.spare, method, own, body)
  const parts = isClosed ? ['%00'] : ['%00', '__proto__', '..%2f..%2f', '%ff', "'%22%5C;--"]
  for (const part of endpoint.path.includes(':') ? parts : []) {
    const odd = endpoint.path.replaceAll(/:\w+/g, part)
    await send(scene, cast.spare, { method, path: odd, body: {} })
  }
  await scene.call(cast.spare, 'PATCH', own, {})
  await renewSpare(scene, cast)
}
