import { type AttackCase, casesOf } from '../AttackCase.ts'
import type { Cast } from '../createCast.ts'
import type { Scene } from '../createScene.ts'
import { requireDoc } from './accessCases.ts'
import { ownersOnly, plantHidden } from './hiddenFieldCases.ts'
import { type LiveSocket, openSocket } from './openSocket.ts'

async function withSocket(scene: Scene, connect: object | undefined, run: (socket: LiveSocket) => Promise<void>) {
  const socket = await openSocket(scene, connect).catch(() => scene.skip('live queries cannot be reached'))
  try {
    await run(socket)
  } finally {
    socket.close()
  }
}

/** Changes the private document, then a public one, which shows that every event before it was sent. */
async function change(scene: Scene, { victim, className }: Cast, doc: string, turn: string): Promise<void> {
  await scene.need(victim, 'PUT', `/classes/${className}/${doc}`, { note: turn })
  await scene.need(victim, 'PUT', `/classes/${className}/${doc}`, { note: 'private' })
  await scene.need(victim, 'POST', `/classes/${className}`, { note: turn, ACL: { '*': { read: true } } })
}
const make = casesOf('live')

export const liveCases: AttackCase[] = [
  make('changes of a private document reach nobody else', 'P6, CVE-2026-30947, CVE-2026-33421', async (scene, cast) => {
    const { stranger, className } = cast
    const doc = requireDoc(scene, cast)
    for (const connect of [{}, { sessionToken: stranger.token }])
      await withSocket(scene, connect, async (socket) => {
        await socket.subscribe(1, { className })
        await socket.subscribe(2, { className, where: { objectId: doc } })
        await socket.subscribe(3, { className, where: { secret: { $regex: '^canary' } } })
        const turn = `live${connect.sessionToken === undefined ? 1 : 2}`
        await change(scene, cast, doc, turn)
        await socket.wait((frame) => frame.op === 'create' && (frame.object as { note?: string })?.note === turn, 8_000)
        const seen = socket.frames.filter(
          ({ object }) => (object as { objectId?: string } | undefined)?.objectId === doc,
        )
        scene.check(
          seen.length === 0,
          undefined,
          'A subscriber gets changes of a document that it may not read.',
          'foreignData',
        )
        scene.check(
          !JSON.stringify(socket.frames).includes(cast.canary),
          undefined,
          'A live frame contains a secret of another user.',
          'foreignData',
        )
      })
  }),
  make('a socket needs a valid application and session', 'P6, SEC-66', async (scene, cast) => {
    const { victim, ended, className } = cast
    for (const connect of [
      { applicationId: 'another' },
      { applicationId: { $ne: null } },
      { sessionToken: ended.token },
      { sessionToken: { $ne: null } },
      { masterKey: 'guessed' },
      { masterKey: { $ne: null } },
    ])
      await withSocket(scene, connect, async (socket) => {
        const isConnected = socket.frames.some(({ op }) => op === 'connected')
        if (!isConnected || 'masterKey' in connect) return
        // Some clients are connected as a guest: then nothing of the session holds.
        const doc = cast.doc
        if (doc === undefined) return
        await socket.subscribe(1, { className, where: { objectId: doc } }, { sessionToken: ended.token })
        const { body } = await scene.need(victim, 'PUT', `/classes/${className}/${doc}`, { note: 'private' })
        await socket.wait(({ object }) => object !== undefined, 500)
        scene.check(
          body !== undefined && !socket.frames.some(({ object }) => object !== undefined),
          undefined,
          `A socket with ${Object.keys(connect).join()} that is not valid gets private changes.`,
          'foreignData',
        )
      })
  }),
  make('an ended session gets nothing more', 'P6, GHSA-2xm2-xj2q-qgpj', async (scene, cast) => {
    const { victim, className } = cast
    const doc = requireDoc(scene, cast)
    const token = await scene.logIn(victim)
    await withSocket(scene, { sessionToken: token }, async (socket) => {
      const subscribed = await socket.subscribe(1, { className, where: { objectId: doc } })
      if (subscribed?.op !== 'subscribed') scene.skip('the class cannot be subscribed to')
      await scene.need({ ...victim, token }, 'POST', '/logout', {})
      await new Promise((resolve) => setTimeout(resolve, 500))
      const before = socket.frames.length
      await change(scene, cast, doc, 'live3')
      await socket.wait((frame) => frame.object !== undefined && socket.frames.indexOf(frame) >= before, 1_500)
      const late = socket.frames
        .slice(before)
        .filter(({ object }) => (object as { objectId?: string } | undefined)?.objectId === doc)
      scene.check(
        late.length === 0,
        undefined,
        'A socket still gets private changes after its session has ended.',
        'foreignData',
      )
    })
  }),
  make(
    'a hidden field is in no event, and no condition or watch tells its value',
    'P6, GHSA-crrq-vr9j-fxxh, GHSA-j7mm-f4rv-6q6q, GHSA-qpc3-fg4j-8hgm, GHSA-mmg8-87c5-jrc2, GHSA-m983-v2ff-wq65',
    async (scene, cast) => {
      const { className, id, value } = await plantHidden(scene, cast, { protectedFields: { '*': ['secret', 'data'] } })
      const { master = scene.skip('needs the master key') } = scene
      await withSocket(scene, { sessionToken: cast.stranger.token }, (mine) =>
        withSocket(scene, { masterKey: master.masterKey }, async (theirs) => {
          await theirs.subscribe(1, { className })
          await mine.subscribe(1, { className })
          const guessing: object[] = [
            { where: { secret: value } },
            { where: { secret: { $regex: `^${value.slice(0, 6)}` } } },
            { where: { 'data.key': value } },
            { where: { $or: [{ secret: value }] } },
            { where: { $or: { length: 1, 0: { secret: value } } } },
            { where: { $nor: [{ secret: { $ne: value } }] } },
            { watch: ['secret'] },
            { watch: ['data.key'] },
          ]
          for (const [index, query] of guessing.entries()) {
            const answer = await mine.subscribe(index + 2, { className, ...query })
            scene.check(
              answer?.op !== 'subscribed',
              undefined,
              `A live query takes ${JSON.stringify(query).slice(0, 60).replace(value, '$HIDDEN')} on a hidden field.`,
              'foreignData',
            )
          }
          // Events of one change go to readers with different rights: none may get the copy of another.
          for (let turn = 0; turn < 4; turn++)
            await scene.need(master, 'PUT', `/classes/${className}/${id}`, {
              secret: `${value}${turn}`,
              note: `turn${turn}`,
            })
          await mine.wait(({ object }) => (object as { note?: string } | undefined)?.note === 'turn3', 8_000)
          scene.check(
            !JSON.stringify(mine.frames).includes(value),
            undefined,
            'A live frame contains a hidden field.',
            'foreignData',
          )
        }),
      )
    },
  ),
  make(
    'objects for their owner and secrets of users reach no other subscriber',
    'P6, CVE-2026-33421, GHSA-fph2-r4qg-9576, GHSA-7pr3-p5fm-8r9x',
    async (scene, cast) => {
      const { className, id, value } = await plantHidden(scene, cast, ownersOnly)
      const { master = scene.skip('needs the master key') } = scene
      const { victim, stranger } = cast
      await withSocket(scene, { sessionToken: stranger.token }, async (socket) => {
        await socket.subscribe(1, { className })
        await socket.subscribe(2, { className, where: { secret: value } })
        await socket.subscribe(3, { className: '_User' })
        await socket.subscribe(4, { className: '_Session' })
        await socket.subscribe(5, { className: '_User', where: { objectId: victim.id }, keys: ['email', 'authData'] })
        await scene.need(master, 'PUT', `/classes/${className}/${id}`, { note: 'changed' })
        await scene.logIn(victim)
        await scene.call(victim, 'PUT', `/users/${victim.id}`, { attackNote: scene.run })
        await scene.call(victim, 'PUT', `/users/${victim.id}`, { attackNote: { __op: 'Delete' } })
        await socket.wait(({ object }) => object !== undefined, 1_500)
        const text = JSON.stringify(socket.frames)
        for (const [what, secret] of [
          ['an object of its owner', value],
          ['an address', victim.email ?? value],
          ['a session', victim.token],
        ])
          scene.check(
            !text.includes(String(secret)) && !text.includes('"sessionToken"'),
            undefined,
            `A live frame shows ${what} to another user.`,
            'foreignData',
          )
      })
    },
  ),
  make('malformed frames end at most their own socket', 'P6, P13, SEC-56', async (scene, { className }) => {
    const frames: (object | string)[] = [
      '',
      'text',
      '[]',
      'null',
      '{',
      '{"op":{}}',
      '{"op":"__proto__"}',
      '{"op":"constructor"}',
      { op: 'subscribe' },
      { op: 'subscribe', requestId: {}, query: [] },
      { op: 'subscribe', requestId: 1, query: { className: '__proto__' } },
      { op: 'subscribe', requestId: 2, query: { className: '_Session', where: {} } },
      { op: 'subscribe', requestId: 3, query: { className, where: { $or: { length: 9 } } } },
      { op: 'subscribe', requestId: 4, query: { className, where: { note: { $regex: '(a+)+$' } } } },
      { op: 'subscribe', requestId: 5, query: { className, where: { note: { $regex: '(' } } } },
      { op: 'subscribe', requestId: 6, query: { className, where: {}, keys: {}, watch: [{}] } },
      { op: 'unsubscribe', requestId: 99 },
      { op: 'update', requestId: 1 },
      `{"op":"subscribe","requestId":7,"query":{"className":"${className}","where":${'{"$or":['.repeat(500)}{}${']}'.repeat(500)}}}`,
      'x'.repeat(200_000),
    ]
    for (const frame of frames)
      await withSocket(scene, {}, async (socket) => {
        socket.send(frame)
        await socket.wait(({ op }) => op === 'error' || op === 'subscribed', 300)
        const text = JSON.stringify(socket.frames)
        scene.check(
          !/node_modules|at .+:\d+:\d+|syntax error/.test(text),
          undefined,
          `A frame is answered with internals: ${text.slice(0, 200)}`,
          'leak',
        )
      })
    const alive = await scene.call({ name: 'guest' }, 'GET', '/health')
    scene.check(alive.status === 200, alive, 'The server does not respond after malformed frames.', 'serverError')
  }),
]
