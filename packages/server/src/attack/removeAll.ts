import type { MadeUser } from './createLedger.ts'
import type { Scene } from './createScene.ts'
import type { Actor } from './createTarget.ts'

/** Removes everything that the attack made. Returns what remains, with the reason. */
export async function removeAll(scene: Scene): Promise<string[]> {
  const { made, master } = scene
  const remains: string[] = []
  const attempt = async (label: string, as: Actor, method: string, path: string, body?: object): Promise<void> => {
    const sent = { as, method, path, ...(body && { body }) }
    const answer = await scene.target.send(sent).catch((error: Error) => ({ status: 0, text: error.message }))
    if (answer.status >= 300 && answer.status !== 404 && answer.status !== 400)
      remains.push(`${label}: ${answer.status} ${scene.hide(answer.text.slice(0, 200))}`)
    else if (answer.status === 0) remains.push(`${label}: ${scene.hide(answer.text.slice(0, 200))}`)
  }

  for (const undo of scene.undoes.reverse()) await undo().catch(() => {})
  if (!master) {
    remains.push(...[...made.files].map((name) => `file ${name}: only the master key may delete it`))
    remains.push(...[...made.devices].map((id) => `device ${id}: only the master key may delete it`))
    remains.push(...[...made.classes].map((name) => `class ${name}: only the master key may delete it`))
    for (const [id, user] of made.users) await leave(scene, id, user, remains)
    return remains
  }
  for (const name of made.files) await attempt(`file ${name}`, master, 'DELETE', `/files/${encodeURIComponent(name)}`)
  for (const id of made.devices) await attempt(`device ${id}`, master, 'DELETE', `/installations/${id}`)
  for (const id of made.users.keys()) await attempt(`user ${id}`, master, 'DELETE', `/users/${id}`)
  for (const name of made.classes) {
    await attempt(`objects of ${name}`, master, 'DELETE', `/purge/${name}`)
    await attempt(`class ${name}`, master, 'DELETE', `/schemas/${name}`)
  }
  await removeFields(scene, master, attempt)
  return remains
}

/** Without the master key an account is deleted by its owner, and kept for the time in which that can be undone. */
async function leave(scene: Scene, id: string, { label, account, token }: MadeUser, remains: string[]): Promise<void> {
  const as: Actor = { name: account?.name ?? 'owner', ...(token !== undefined && { token }) }
  if (account) {
    const { username, password } = account
    const body = { username, password }
    const opened = await scene.target.send({ as: { name: account.name }, method: 'POST', path: '/login', body })
    as.token = opened.body.sessionToken ?? account.token
  }
  const { status, body } = await scene.target.send({ as, method: 'DELETE', path: `/users/${id}` })
  const end =
    status < 300
      ? 'deleted by its owner, and kept for accountDeletionGrace'
      : `only the master key may delete it (${body.reason ?? status})`
  remains.push(`${label}: ${end}`)
}

type Attempt = (label: string, as: Actor, method: string, path: string, body?: object) => Promise<void>

/** Fields that malformed requests added to classes of the system, where clients may add fields. */
async function removeFields(scene: Scene, master: Actor, attempt: Attempt): Promise<void> {
  for (const [className, before] of scene.systemFields) {
    const { body } = await scene.target.send({ as: master, method: 'GET', path: `/schemas/${className}` })
    const added = Object.keys(body.fields ?? {}).filter((name) => !before.has(name))
    if (added.length === 0) continue
    const fields = Object.fromEntries(added.map((name) => [name, { __op: 'Delete' }]))
    await attempt(`fields of ${className}`, master, 'PUT', `/schemas/${className}`, { className, fields })
  }
}

const systemClasses = ['_User', '_Session', '_Installation', '_Role']

/** Remembers classes and fields that were there before. */
export async function rememberSchema(scene: Scene): Promise<void> {
  const { master } = scene
  if (!master) return
  const { body } = await scene.need(master, 'GET', '/schemas')
  for (const { className, fields } of body.results as { className: string; fields: object }[]) {
    scene.made.existing.add(className)
    if (systemClasses.includes(className)) scene.systemFields.set(className, new Set(Object.keys(fields)))
  }
  for (const className of systemClasses)
    if (!scene.systemFields.has(className)) {
      const { body: one } = await scene.target.send({ as: master, method: 'GET', path: `/schemas/${className}` })
      if (one.fields) scene.systemFields.set(className, new Set(Object.keys(one.fields)))
    }
}
