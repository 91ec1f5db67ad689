import { isClassName } from '../../classes/names.ts'
import type { Context } from '../../context/Context.ts'
import { type Fragment, sql } from '../../db/sql.ts'
import { defineEndpoint } from '../../endpoint/defineEndpoint.ts'
import { checkUrl } from '../webhooks.ts'
import { decodeRemote, type RemoteCode, type RemoteRow, refuseRemote } from './RemoteCode.ts'

/** Servers listen here for remote code that changed. */
export const remoteChannel = 'countersign_remote_code'

/** Name of a function or hook. */
type FunctionName = { functionName: string }

type HookName = { className: string; triggerName: string }

type RemoteName = FunctionName | HookName

type RemoteFunction = Extract<RemoteCode, FunctionName>

type RemoteHook = Extract<RemoteCode, { className: string }>

type RecordOf<Name> = Name extends FunctionName ? RemoteFunction : RemoteHook

const columns = sql`function_name, class_name, trigger_name, url`

export async function listRemotes<Kind extends 'functions' | 'triggers'>(
  { db }: Context,
  kind: Kind,
  className?: string,
): Promise<(Kind extends 'functions' ? RemoteFunction : RemoteHook)[]> {
  const isOfKind = kind === 'functions' ? sql`function_name <> ''` : sql`function_name = ''`
  const isOfClass = className === undefined ? sql`true` : sql`class_name = ${className}`
  const rows = await db.query<RemoteRow>(sql`
    select ${columns} from countersign.remote_code where ${isOfKind} and ${isOfClass} order by 1, 2, 3`)
  return rows.map(decodeRemote) as (Kind extends 'functions' ? RemoteFunction : RemoteHook)[]
}

async function getRemote<Name extends RemoteName>({ db }: Context, name: Name): Promise<RecordOf<Name>> {
  const [row] = await db.query<RemoteRow>(sql`
    select ${columns} from countersign.remote_code
    where (function_name, class_name, trigger_name) = (${keyOf(name)})`)
  if (!row) throw missing(name)
  return decodeRemote(row) as RecordOf<Name>
}

async function createRemote<Name extends RemoteName>(
  context: Context,
  name: Name,
  url: string,
): Promise<RecordOf<Name> & { warning?: string }> {
  const made = await change<RemoteRow>(
    context,
    sql`
      insert into countersign.remote_code (${columns}) values (${keyOf(name)}, ${readUrl(context, url)})
      on conflict do nothing
      returning ${columns}`,
  )
  if (!made) throw refuseRemote(`${describe(name)} already exists`)
  const code = decodeRemote(made) as RecordOf<Name>
  const isTaken = 'functionName' in name && context.registry.functions.has(name.functionName)
  return { ...code, ...(isTaken && { warning: `a cloud function already exists for ${name.functionName}` }) }
}

/** Changes where it is; `{ "__op": "Delete" }` deletes it, as the older clients ask for it. */
async function updateRemote<Name extends RemoteName>(
  context: Context,
  name: Name,
  input: { url?: string | undefined; __op?: unknown },
): Promise<RecordOf<Name> | Record<never, never>> {
  if (input.__op === 'Delete') return deleteRemote(context, name)
  const changed = await change<RemoteRow>(
    context,
    sql`
      update countersign.remote_code set url = ${readUrl(context, input.url)}
      where (function_name, class_name, trigger_name) = (${keyOf(name)})
      returning ${columns}`,
  )
  if (!changed) throw missing(name)
  return decodeRemote(changed) as RecordOf<Name>
}

async function deleteRemote(context: Context, name: RemoteName): Promise<Record<never, never>> {
  const gone = await change(
    context,
    sql`
      delete from countersign.remote_code
      where (function_name, class_name, trigger_name) = (${keyOf(name)})
      returning ${columns}`,
  )
  if (!gone) throw missing(name)
  return {}
}

async function change<Row>({ db }: Context, statement: Fragment): Promise<Row | undefined> {
  const [row] = await db.query<Row>(
    sql`with changed as (${statement}) select changed.*, pg_notify(${remoteChannel}, '') from changed`,
  )
  return row
}

/** The values of the columns `function_name, class_name, trigger_name`. */
function keyOf(name: RemoteName): Fragment {
  if ('functionName' in name) {
    if (/^[\w.-]{1,200}$/.test(name.functionName)) return sql.join([name.functionName, '', ''])
  } else if (isClassName(name.className)) return sql.join(['', name.className, name.triggerName])
  throw refuseRemote('invalid hook declaration')
}

function readUrl({ config }: Context, url: unknown): string {
  try {
    return checkUrl(config, url)
  } catch (error) {
    throw refuseRemote((error as Error).message)
  }
}

function describe(name: RemoteName): string {
  return 'functionName' in name
    ? `function name: ${name.functionName}`
    : `class ${name.className} already has trigger ${name.triggerName}: it`
}

function missing(name: RemoteName): Error {
  return refuseRemote(
    'functionName' in name
      ? `no function named: ${name.functionName} is defined`
      : `class ${name.className} has no trigger ${name.triggerName}`,
  )
}

export const listRemoteFunctionsEndpoint = defineEndpoint('listRemoteFunctions', {
  handle: ({ context }) => listRemotes(context, 'functions'),
})

export const createRemoteFunctionEndpoint = defineEndpoint('createRemoteFunction', {
  handle: ({ context, input: { url, ...name } }) => createRemote(context, name, url),
})

export const getRemoteFunctionEndpoint = defineEndpoint('getRemoteFunction', {
  handle: ({ context, params }) => getRemote(context, params),
})

export const updateRemoteFunctionEndpoint = defineEndpoint('updateRemoteFunction', {
  handle: ({ context, params, input }) => updateRemote(context, params, input),
})

export const deleteRemoteFunctionEndpoint = defineEndpoint('deleteRemoteFunction', {
  handle: ({ context, params }) => deleteRemote(context, params),
})

export const listRemoteHooksEndpoint = defineEndpoint('listRemoteHooks', {
  handle: ({ context }) => listRemotes(context, 'triggers'),
})

export const createRemoteHookEndpoint = defineEndpoint('createRemoteHook', {
  handle: ({ context, input: { url, ...name } }) => createRemote(context, name, url),
})

export const listRemoteHooksOfClassEndpoint = defineEndpoint('listRemoteHooksOfClass', {
  handle: ({ context, params }) => listRemotes(context, 'triggers', params.className),
})

export const getRemoteHookEndpoint = defineEndpoint('getRemoteHook', {
  handle: ({ context, params }) => getRemote(context, params),
})

export const updateRemoteHookEndpoint = defineEndpoint('updateRemoteHook', {
  handle: ({ context, params, input }) => updateRemote(context, params, input),
})

export const deleteRemoteHookEndpoint = defineEndpoint('deleteRemoteHook', {
  handle: ({ context, params }) => deleteRemote(context, params),
})
