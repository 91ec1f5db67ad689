import type { WireFields } from '@countersign/protocol'
import { isClassName } from '../../classes/classNames.ts'
import type { Context } from '../../context/Context.ts'
import { checkUrl } from '../checkUrl.ts'
import { decodeRemote, isTriggerName, type RemoteCode, type RemoteRow, refuseRemote } from './RemoteCode.ts'

/** Servers listen here for remote code that changed. */
export const remoteChannel = 'countersign_remote_code'

export type RemoteKind = 'functions' | 'triggers'

/** What names a function or a hook. */
export type RemoteName = { functionName?: unknown; className?: unknown; triggerName?: unknown }

const columns = 'function_name, class_name, trigger_name, url'
const matching = 'function_name = $1 and class_name = $2 and trigger_name = $3'

export async function listRemotes({ db }: Context, kind: RemoteKind, className?: string): Promise<RemoteCode[]> {
  const rows = await db.query<RemoteRow>({
    text: `select ${columns} from countersign.remote_code
           where (function_name <> '') = $1 and ($2::text is null or class_name = $2) order by 1, 2, 3`,
    values: [kind === 'functions', className ?? null],
  })
  return rows.map(decodeRemote)
}

export async function getRemote({ db }: Context, name: RemoteName): Promise<RemoteCode> {
  const [row] = await db.query<RemoteRow>({
    text: `select ${columns} from countersign.remote_code where ${matching}`,
    values: readName(name),
  })
  if (!row) throw missing(name)
  return decodeRemote(row)
}

export async function createRemote(context: Context, name: RemoteName, input: WireFields): Promise<WireFields> {
  const values = [...readName(name), readUrl(context, input.url)]
  const made = await change<RemoteRow>(
    context,
    `insert into countersign.remote_code (${columns}) values ($1, $2, $3, $4) on conflict do nothing returning ${columns}`,
    values,
  )
  if (!made) throw refuseRemote(`${describe(name)} already exists`)
  const code = decodeRemote(made)
  const isTaken = 'functionName' in code && context.registry.functions.has(code.functionName)
  return { ...code, ...(isTaken && { warning: `a cloud function already exists for ${name.functionName}` }) }
}

/** Changes where it is; `{ "__op": "Delete" }` does away with it, as the older clients ask for it. */
export async function updateRemote(context: Context, name: RemoteName, input: WireFields): Promise<WireFields> {
  if (input.__op === 'Delete') return deleteRemote(context, name)
  const values = [...readName(name), readUrl(context, input.url)]
  const changed = await change<RemoteRow>(
    context,
    `update countersign.remote_code set url = $4 where ${matching} returning ${columns}`,
    values,
  )
  if (!changed) throw missing(name)
  return decodeRemote(changed)
}

export async function deleteRemote(context: Context, name: RemoteName): Promise<WireFields> {
  const gone = await change(
    context,
    `delete from countersign.remote_code where ${matching} returning ${columns}`,
    readName(name),
  )
  if (!gone) throw missing(name)
  return {}
}

async function change<Row>({ db }: Context, text: string, values: unknown[]): Promise<Row | undefined> {
  const [row] = await db.query<Row>({
    text: `with changed as (${text}) select changed.*, pg_notify('${remoteChannel}', '') from changed`,
    values,
  })
  return row
}

function readName({ functionName, className, triggerName }: RemoteName): [string, string, string] {
  if (typeof functionName === 'string' && /^[\w.-]{1,200}$/.test(functionName)) return [functionName, '', '']
  const isClass = typeof className === 'string' && isClassName(className)
  if (functionName === undefined && isClass && isTriggerName(triggerName)) return ['', className, triggerName]
  throw refuseRemote('invalid hook declaration')
}

function readUrl({ config }: Context, url: unknown): string {
  try {
    return checkUrl(config, url)
  } catch (error) {
    throw refuseRemote((error as Error).message)
  }
}

function describe({ functionName, className, triggerName }: RemoteName): string {
  return functionName === undefined
    ? `class ${className} already has trigger ${triggerName}: it`
    : `function name: ${functionName}`
}

function missing({ functionName, className, triggerName }: RemoteName): Error {
  return refuseRemote(
    functionName === undefined
      ? `class ${className} has no trigger ${triggerName}`
      : `no function named: ${functionName} is defined`,
  )
}
