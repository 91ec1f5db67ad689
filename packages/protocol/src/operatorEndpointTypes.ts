import type {
  AccessRecord,
  BackupList,
  ChainStatusRecord,
  ConsoleFileRecord,
  ConsoleFunctionRecord,
  ConsoleJobRecord,
  ConsoleRecord,
  ConsoleRoleRecord,
  ConsoleRoleRow,
  ConsoleUserRecord,
  ConsoleUserRow,
  FigureRange,
  KeyList,
  MailLogRecord,
  OperatorRecord,
  OperatorRole,
  OverviewRecord,
  RoleMemberRecord,
  SettingRecord,
  SlowQueryRecord,
  TokenGateHolderRecord,
  UserFilter,
  UserStatus,
} from './console.ts'
import type {
  AudienceRecord,
  AuditRecord,
  AuditVerdict,
  ClassOperation,
  ConnectionRecord,
  DeliveryRecord,
  LogLineRecord,
  RemoteFunctionRecord,
  RemoteHookRecord,
  SecurityReport,
  StateRecord,
  SyncRecord,
  TokenGateRecord,
  WebhookRecord,
} from './operatorRecords.ts'
import type { InvitationRecord } from './records.ts'
import type { WireFields, WireValue } from './values.ts'

type Empty = Record<never, never>
type WebhookInput = Pick<WebhookRecord, 'url' | 'events'> & {
  classes?: string[] | null
  description?: string | null
  enabled?: boolean
}

/** What the endpoints of operators and their tools take and answer. */
export type OperatorEndpointTypes = {
  listSyncs: { input: Empty; output: { results: SyncRecord[] } }
  createSync: { input: { chain: number | string } & WireFields; output: SyncRecord }
  deleteSync: { input: { chain: string; name: string }; output: Empty }
  replaySync: { input: { chain: string; name: string }; output: SyncRecord }
  listStates: { input: Empty; output: { results: StateRecord[] } }
  replayState: { input: { name: string }; output: StateRecord }
  sendPush: {
    input: {
      where?: WireFields
      channels?: string[]
      audience_id?: string
      data: WireFields
      expiration_time?: string | number
      expiration_interval?: number
      push_time?: string | number
    }
    output: { result: true }
  }
  listInvitations: { input: Empty; output: { results: InvitationRecord[] } }
  createInvitation: {
    input: { email?: string | null; role?: string | null; note?: string | null; days?: number | null }
    output: InvitationRecord & { token: string; url: string }
  }
  deleteInvitation: { input: { objectId: string }; output: Empty }
  listWebhooks: { input: Empty; output: { results: WebhookRecord[] } }
  createWebhook: { input: WebhookInput; output: WebhookRecord & { secret: string } }
  getWebhook: { input: { objectId: string }; output: WebhookRecord }
  updateWebhook: {
    input: { objectId: string; renewSecret?: boolean } & Partial<WebhookInput>
    output: WebhookRecord & { secret?: string }
  }
  deleteWebhook: { input: { objectId: string }; output: Empty }
  testWebhook: { input: { objectId: string } & WireFields; output: { objectId: string } }
  listDeliveries: {
    input: { objectId: string; before?: string; status?: string; limit?: number }
    output: { results: DeliveryRecord[] }
  }
  resendDelivery: { input: { objectId: string; deliveryId: string }; output: { objectId: string } }
  listRemoteFunctions: { input: Empty; output: RemoteFunctionRecord[] }
  createRemoteFunction: { input: RemoteFunctionRecord; output: RemoteFunctionRecord & { warning?: string } }
  getRemoteFunction: { input: { functionName: string }; output: RemoteFunctionRecord }
  updateRemoteFunction: { input: RemoteFunctionRecord; output: RemoteFunctionRecord | Empty }
  deleteRemoteFunction: { input: { functionName: string }; output: Empty }
  listRemoteHooks: { input: Empty; output: RemoteHookRecord[] }
  createRemoteHook: { input: RemoteHookRecord; output: RemoteHookRecord }
  listRemoteHooksOfClass: { input: { className: string }; output: RemoteHookRecord[] }
  getRemoteHook: { input: { className: string; triggerName: string }; output: RemoteHookRecord }
  updateRemoteHook: { input: RemoteHookRecord; output: RemoteHookRecord | Empty }
  deleteRemoteHook: { input: { className: string; triggerName: string }; output: Empty }
  startJob: { input: { jobName: string } & WireFields; output: Empty }
  startNamedJob: { input: { jobName: string } & WireFields; output: Empty }
  listSchedules: { input: Empty; output: WireFields[] }
  listJobs: { input: Empty; output: { in_use: string[]; jobs: string[] } }
  createSchedule: { input: WireFields; output: WireFields }
  updateSchedule: { input: { objectId: string } & WireFields; output: WireFields }
  deleteSchedule: { input: { objectId: string }; output: Empty }
  listTokenGates: { input: { role?: string }; output: { results: TokenGateRecord[] } }
  createTokenGate: {
    input: { role: string; chain: string | number; kind: string; token?: string; tokenId?: string; amount?: string }
    output: TokenGateRecord
  }
  getTokenGate: { input: { objectId: string }; output: TokenGateRecord }
  deleteTokenGate: { input: { objectId: string }; output: Empty }
  checkTokenGate: { input: { objectId: string }; output: TokenGateRecord }
  getServerInfo: {
    input: Empty
    output: { features: Record<string, Record<string, boolean>>; parseServerVersion: string; version: string }
  }
  getConnection: { input: Empty; output: ConnectionRecord }
  listAudit: {
    input: { before?: string; limit?: string; actor?: string; action?: string; subject?: string }
    output: { results: AuditRecord[] }
  }
  verifyAudit: { input: { anchor?: string }; output: AuditVerdict }
  getConsole: { input: Empty; output: ConsoleRecord }
  claimConsole: { input: { token: string }; output: { role: OperatorRole } }
  endImpersonation: { input: Empty; output: { sessionToken?: string } }
  getOverview: { input: { range?: FigureRange }; output: OverviewRecord }
  listConsoleUsers: {
    input: { search?: string; filter?: UserFilter; after?: string; limit?: string }
    output: { results: ConsoleUserRow[]; next?: string }
  }
  getConsoleUser: { input: { objectId: string }; output: ConsoleUserRecord }
  exportConsoleUser: { input: { objectId: string }; output: WireFields }
  disableUser: { input: { objectId: string }; output: { status: UserStatus } }
  enableUser: { input: { objectId: string }; output: { status: UserStatus } }
  signOutUser: { input: { objectId: string }; output: { revoked: number } }
  verifyUserEmail: { input: { objectId: string }; output: Empty }
  sendUserReset: { input: { objectId: string }; output: Empty }
  impersonateUser: {
    input: { objectId: string }
    output: { user: { objectId: string; username: string }; expiresAt: string; sessionToken?: string }
  }
  deleteConsoleUser: { input: { objectId: string }; output: Empty }
  testAccess: {
    input: { user?: string; className: string; objectId?: string; operation: ClassOperation }
    output: AccessRecord
  }
  listConsoleRoles: {
    input: { search?: string; parent?: string; after?: string; limit?: string }
    output: { results: ConsoleRoleRow[]; next?: string }
  }
  getConsoleRole: { input: { objectId: string }; output: ConsoleRoleRecord }
  listRoleMembers: {
    input: { objectId: string; search?: string; after?: string; limit?: string }
    output: { results: RoleMemberRecord[]; next?: string }
  }
  listConsoleFiles: {
    input: { search?: string; after?: string; limit?: string }
    output: { results: ConsoleFileRecord[]; next?: string }
  }
  listTokenGateHolders: {
    input: { objectId: string; after?: string; limit?: string }
    output: { results: TokenGateHolderRecord[]; next?: string }
  }
  listMailLog: {
    input: { search?: string; outcome?: 'all' | 'sent' | 'failed'; after?: string; limit?: string }
    output: { isSending: boolean; days: number; results: MailLogRecord[]; next?: string }
  }
  getSettings: { input: Empty; output: { results: SettingRecord[] } }
  listOperators: { input: Empty; output: { results: OperatorRecord[] } }
  setOperator: { input: { objectId: string; role: OperatorRole }; output: OperatorRecord }
  removeOperator: { input: { objectId: string }; output: Empty }
  createOperatorLink: { input: { role?: OperatorRole }; output: { url: string; role: OperatorRole; expiresAt: string } }
  listConsoleFunctions: { input: Empty; output: { results: ConsoleFunctionRecord[] } }
  listConsoleJobs: { input: Empty; output: { results: ConsoleJobRecord[] } }
  previewSchema: {
    input: {
      className: string
      fields?: { [name: string]: WireValue }
      indexes?: { [name: string]: WireValue }
      drop?: boolean
    }
    output: { plan: { text: string; drops: boolean }[]; file: string }
  }
  listSlowQueries: { input: Empty; output: { since: string; threshold: number; results: SlowQueryRecord[] } }
  getQueryPlan: { input: { objectId: string }; output: { plan: string } }
  listKeys: { input: Empty; output: KeyList }
  rotateKeys: { input: { confirm: true }; output: { resealed: number; unreadable: number; masterKey?: string } }
  retireKeys: { input: { confirm: true }; output: { resealed: number; unreadable: number; masterKey?: string } }
  listBackups: { input: Empty; output: BackupList }
  createBackup: { input: Empty; output: { name: string } }
  getChainStatus: { input: Empty; output: { results: ChainStatusRecord[] } }
  /** Under the names and in the forms that the dashboard of parse-server asks for. */
  listLogLines: {
    input: {
      level?: string
      n?: number
      size?: number
      from?: string | number
      startDate?: string | number
      until?: string | number
      order?: 'asc' | 'desc'
    }
    output: LogLineRecord[]
  }
  listReleases: { input: Empty; output: WireFields[] }
  checkSecurity: { input: Empty; output: { report: SecurityReport } }
  listAudiences: { input: { limit?: number; skip?: number }; output: { results: AudienceRecord[]; showMore: boolean } }
  createAudience: {
    input: { name: string; query: string | WireFields }
    output: { objectId: string; createdAt: string; new_audience: { objectId: string } }
  }
  getAudience: { input: { objectId: string }; output: AudienceRecord }
  updateAudience: {
    input: { objectId: string; name?: string; query?: string | WireFields }
    output: { updatedAt: string }
  }
  deleteAudience: { input: { objectId: string }; output: Empty }
}
