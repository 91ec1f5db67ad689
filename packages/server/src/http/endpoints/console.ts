import type { ConsoleArea, OperatorRole, WireFields } from '@countersign/protocol'
import { createBackup, listBackups } from '../../console/backups.ts'
import { listConsoleFiles } from '../../console/files.ts'
import { getChainStatus } from '../../console/getChainStatus.ts'
import { getOverview } from '../../console/getOverview.ts'
import { listKeys, retireConsoleKeys, rotateConsoleKeys } from '../../console/keys.ts'
import { listConsoleFunctions, listConsoleJobs } from '../../console/listCode.ts'
import { listSettings } from '../../console/listSettings.ts'
import { listMailLog } from '../../console/mailLog.ts'
import { previewSchema } from '../../console/previewSchema.ts'
import { getConsoleRole, listConsoleRoles, listRoleMembers } from '../../console/roles.ts'
import { getQueryPlan, listSlowQueries } from '../../console/slowQueries.ts'
import { testAccess } from '../../console/testAccess.ts'
import { listTokenGateHolders } from '../../console/tokenGates.ts'
import {
  deleteConsoleUser,
  disableUser,
  enableUser,
  exportConsoleUser,
  getConsoleUser,
  impersonateUser,
  listConsoleUsers,
  sendUserReset,
  signOutUser,
  verifyUserEmail,
} from '../../console/users.ts'
import type { Context } from '../../context/Context.ts'
import {
  claimConsole,
  createOperatorLink,
  listOperators,
  operatorRoleOf,
  raiseOperator,
  removeOperator,
  setOperator,
} from '../../users/operators.ts'
import { findSession } from '../../users/sessions/findSession.ts'
import { getSession, requireSession, revokeSession } from '../../users/sessions/sessions.ts'
import { version } from '../../version.ts'
import { defineEndpoint, type Endpoint, respond } from '../Endpoint.ts'
import { clearOperatorCookie, readOperatorCookie, writeOperatorCookie } from '../request/cookies.ts'
import { notHere } from '../request/rights.ts'

const admin: OperatorRole[] = ['admin']
const helping: OperatorRole[] = ['admin', 'support']
const looking: OperatorRole[] = ['admin', 'viewer']

/** What each role gets to see. The screens go by this; the endpoints decide for themselves. */
const areas: { [Role in OperatorRole]: ConsoleArea[] } = {
  admin: [
    'overview',
    'users',
    'data',
    'schema',
    'access',
    'roles',
    'tokenGates',
    'functions',
    'chain',
    'files',
    'config',
    'mail',
    'audit',
    'settings',
    'operators',
    'keys',
    'backups',
    'api',
  ],
  viewer: [
    'overview',
    'users',
    'data',
    'schema',
    'access',
    'roles',
    'tokenGates',
    'functions',
    'chain',
    'files',
    'config',
    'audit',
    'settings',
    'keys',
    'backups',
    'api',
  ],
  support: ['overview', 'users', 'roles'],
}

export const consoleEndpoints: Endpoint[] = [
  defineEndpoint('getConsole', {
    async handle({ context: { config }, caller }) {
      const role = operatorRoleOf(caller) ?? 'viewer'
      return { role, areas: areas[role], appName: config.appName, version, production: config.production }
    },
  }),
  defineEndpoint('claimConsole', {
    handle: ({ context, caller, input: { token } }) => claimConsole(context, caller, token),
  }),
  defineEndpoint('getOverview', {
    handle: ({ context, input: { range = 'day' } }) => getOverview(context, range),
  }),
  defineEndpoint('listConsoleUsers', { handle: ({ context, input }) => listConsoleUsers(context, input) }),
  defineEndpoint('getConsoleUser', {
    handle: ({ context, caller, params }) => getConsoleUser(context, caller, params.objectId),
  }),
  defineEndpoint('exportConsoleUser', {
    operators: admin,
    streams: true,
    writes: true,
    handle: async ({ context, caller, params }) =>
      respond((await exportConsoleUser(context, caller, params.objectId)) as object as WireFields, {
        headers: {
          'Content-Type': 'application/json; charset=utf-8',
          'Content-Disposition': 'attachment; filename="user.json"',
          'Cache-Control': 'no-store',
        },
      }),
  }),
  defineEndpoint('disableUser', {
    operators: helping,
    handle: ({ context, caller, params }) => disableUser(context, caller, params.objectId),
  }),
  defineEndpoint('enableUser', {
    operators: helping,
    handle: ({ context, caller, params }) => enableUser(context, caller, params.objectId),
  }),
  defineEndpoint('signOutUser', {
    operators: helping,
    handle: ({ context, caller, params }) => signOutUser(context, caller, params.objectId),
  }),
  defineEndpoint('verifyUserEmail', {
    operators: helping,
    handle: ({ context, caller, params }) => verifyUserEmail(context, caller, params.objectId),
  }),
  defineEndpoint('sendUserReset', {
    operators: helping,
    handle: ({ context, caller, params }) => sendUserReset(context, caller, params.objectId),
  }),
  defineEndpoint('impersonateUser', {
    operators: admin,
    async handle({ context, caller, params }) {
      const made = await impersonateUser(context, caller, params.objectId)
      if (!caller.session) return made
      // The browser keeps the operator's own session aside, to come back to.
      return respond(made, { headers: { 'Set-Cookie': writeOperatorCookie(context, caller.session.token) } })
    },
  }),
  defineEndpoint('endImpersonation', {
    async handle({ context, caller, sent }) {
      const { objectId } = requireSession(caller)
      const session = await getSession(context, { ...caller, isMaster: false }, objectId)
      // Any other session finds nothing here.
      if (session.createdWith?.authProvider !== 'operator') throw notHere('POST', '/console/impersonation/end')
      await revokeSession(context, caller, objectId)
      const token = await findOperatorToken(context, readOperatorCookie(context, sent.headers.cookie))
      return respond(token === undefined ? {} : { sessionToken: token }, {
        headers: { 'Set-Cookie': clearOperatorCookie(context) },
      })
    },
  }),
  defineEndpoint('deleteConsoleUser', {
    operators: admin,
    handle: ({ context, caller, params }) => deleteConsoleUser(context, caller, params.objectId),
  }),
  defineEndpoint('testAccess', { operators: looking, handle: ({ context, input }) => testAccess(context, input) }),
  defineEndpoint('listConsoleRoles', { handle: ({ context, input }) => listConsoleRoles(context, input) }),
  defineEndpoint('getConsoleRole', { handle: ({ context, params }) => getConsoleRole(context, params.objectId) }),
  defineEndpoint('listRoleMembers', {
    handle: ({ context, params, input }) => listRoleMembers(context, params.objectId, input),
  }),
  defineEndpoint('listConsoleFiles', {
    operators: looking,
    handle: ({ context, input }) => listConsoleFiles(context, input),
  }),
  defineEndpoint('listTokenGateHolders', {
    operators: looking,
    handle: ({ context, params, input }) => listTokenGateHolders(context, params.objectId, input),
  }),
  defineEndpoint('listMailLog', { operators: admin, handle: ({ context, input }) => listMailLog(context, input) }),
  defineEndpoint('getSettings', { operators: looking, handle: async ({ context }) => listSettings(context) }),
  defineEndpoint('listOperators', { operators: looking, handle: ({ context }) => listOperators(context) }),
  defineEndpoint('listConsoleFunctions', {
    operators: looking,
    handle: async ({ context }) => listConsoleFunctions(context),
  }),
  defineEndpoint('listConsoleJobs', { operators: looking, handle: ({ context }) => listConsoleJobs(context) }),
  defineEndpoint('getChainStatus', { operators: looking, handle: ({ context }) => getChainStatus(context) }),
  defineEndpoint('previewSchema', {
    operators: looking,
    handle: ({ context, input }) => previewSchema(context, input),
  }),
  defineEndpoint('listSlowQueries', { operators: looking, handle: ({ context }) => listSlowQueries(context) }),
  defineEndpoint('getQueryPlan', {
    operators: looking,
    handle: ({ context, params }) => getQueryPlan(context, params.objectId),
  }),
  defineEndpoint('listKeys', { operators: looking, handle: async ({ context }) => listKeys(context) }),
  defineEndpoint('rotateKeys', { operators: admin, handle: ({ context }) => rotateConsoleKeys(context) }),
  defineEndpoint('retireKeys', { operators: admin, handle: ({ context }) => retireConsoleKeys(context) }),
  defineEndpoint('listBackups', { operators: looking, handle: ({ context }) => listBackups(context) }),
  defineEndpoint('createBackup', { operators: admin, handle: ({ context }) => createBackup(context) }),
  defineEndpoint('setOperator', {
    operators: admin,
    handle: ({ context, caller, params, input }) => setOperator(context, caller, params.objectId, input.role),
  }),
  defineEndpoint('removeOperator', {
    operators: admin,
    handle: ({ context, caller, params }) => removeOperator(context, caller, params.objectId),
  }),
  defineEndpoint('createOperatorLink', {
    operators: admin,
    handle: ({ context, input: { role = 'admin' } }) => createOperatorLink(context, role),
  }),
]

/** The token that was kept aside, as long as it opens a session of an operator. */
async function findOperatorToken(context: Context, token: string | undefined): Promise<string | undefined> {
  if (token === undefined) return undefined
  const session = await findSession(context, token).catch(() => undefined)
  if (!session) return undefined
  const caller = { isMaster: false, isLocalApp: false, ipAddress: '', session }
  await raiseOperator(context, caller).catch(() => undefined)
  return operatorRoleOf(caller) && token
}
