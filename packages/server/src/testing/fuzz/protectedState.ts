import { sql } from '../../db/sql.ts'
import type { World } from './World.ts'

/** Tables that only operators and the master key may change. */
export const closedTables = [
  ...['config', 'webhooks', 'remote_code', 'schedules', 'operators', 'operator_links', 'invitations', 'settings'],
  ...['keys', 'gates', 'gate_chains', 'chain_syncs', 'sync_access', 'disabled_users', 'class_parts', 'class_moves'],
  ...['backups', 'data_views', 'imports', 'import_claims', 'import_files', 'import_notes', 'import_rows'],
  ...['retired_roles', 'migrations', 'services', 'service_roles', 'saved_queries', 'oidc_clients'],
  ...['oidc_keys'],
]

/** Tables with one or more rows for each user: those of the victim stay as they are. */
export const userTables = [
  ...['wallets', 'passkeys', 'second_factors', 'recovery_codes', 'account_settings', 'deletions', 'identities'],
  ...['unlinked_wallets', 'removed_passkeys', 'removed_factors', 'replaced_passwords', 'added_methods', 'merges'],
  ...['email_changes', 'remembered_devices', 'unlinked_identities', 'merged_wallets', 'access_tokens'],
  ...['oidc_records'],
]

/** Tables that requests of anybody change: logs, counters, queues, caches, and rows by rights that are tested elsewhere. */
export const openTables = [
  ...[
    'activity',
    'audit',
    'audit_head',
    'changes',
    'classes',
    'deliveries',
    'devices',
    'email_code_counts',
    'email_codes',
    'events',
  ],
  ...['failed_sign_ins', 'figures', 'files', 'file_chunks', 'gate_holders', 'gate_queue', 'job_runs', 'known_browsers'],
  ...['live_classes', 'live_continued', 'live_marks', 'live_state', 'login_failures', 'mail_log', 'merge_changes'],
  ...['merge_links', 'outbox', 'replica_marks', 'requests', 'reserved_names', 'retired_users', 'sent_transactions'],
  ...['tokens', 'two_phase', 'challenges', 'limit_windows', 'limit_processes', 'oidc_sign_outs'],
  ...['chain_blocks', 'chain_children', 'chain_classes', 'chain_holdings', 'chain_nfts', 'chain_progress'],
  ...['chain_sources', 'chain_state', 'chain_state_undo', 'chain_states', 'chain_tokens', 'chain_touched'],
  ...['chain_transactions', 'chain_watched', 'chain_work'],
]

/** Columns that change without anybody's doing. */
const changing = ['lastUsedAt', 'last_used_at', 'checked_at', 'delivered', 'cursor']

export type ProtectedState = Map<string, string>

/** Rows that are closed to unprivileged callers, by table and id. */
export async function readProtectedState({ server, protectedIds, victim }: World): Promise<ProtectedState> {
  const { db } = server.context
  const state: ProtectedState = new Map()
  const add = (table: string, rows: { row: Record<string, unknown> }[]) => {
    const texts = rows.map(({ row }) => describe(row)).sort()
    state.set(table, texts.join('\n'))
  }
  for (const [className, ids] of protectedIds) {
    const rows = await db.query<{ row: Record<string, unknown> }>(
      sql`select to_jsonb(t) as row from ${sql.table(className)} t where "objectId" = any(${ids})`,
    )
    for (const { row } of rows) state.set(`${className} ${row.objectId}`, describe(row))
    for (const id of ids) if (!rows.some(({ row }) => row.objectId === id)) state.set(`${className} ${id}`, 'removed')
  }
  add('_Session', await db.query(sql`select to_jsonb(t) as row from "_Session" t where "user" = ${victim.id}`))
  const [staff = ''] = protectedIds.get('_Role') ?? []
  add(
    '_Join:users:_Role',
    await db.query(sql`select to_jsonb(t) as row from "_Join:users:_Role" t where t::text like ${`%${staff}%`}`),
  )
  for (const table of closedTables)
    add(table, await db.query({ text: `select to_jsonb(t) as row from countersign.${table} t` }))
  for (const table of userTables)
    add(
      table,
      await db.query({
        text: `select to_jsonb(t) as row from countersign.${table} t where t::text like $1`,
        values: [`%${victim.id}%`],
      }),
    )
  const permissions = await db.query<{ row: Record<string, unknown> }>(
    sql`select jsonb_build_object('className', "className", 'permissions', permissions) as row from countersign.classes where "className" = any(${[...protectedIds.keys()]})`,
  )
  add('permissions', permissions)
  return state
}

/** Fields that an unprivileged caller may add to a class are null in these rows. */
function describe(row: Record<string, unknown>): string {
  const entries = Object.entries(row).filter(([key, value]) => value !== null && !changing.includes(key))
  return JSON.stringify(Object.fromEntries(entries.sort(([one], [other]) => (one < other ? -1 : 1))))
}

/** Names of the tables and rows that differ. */
export function compareStates(before: ProtectedState, after: ProtectedState): string[] {
  return [...before].flatMap(([name, text]) =>
    after.get(name) === text ? [] : [`${name}: ${text.slice(0, 300)} became ${after.get(name)?.slice(0, 300)}`],
  )
}
