import type { AuditRecord } from '@countersign/protocol'
import type { ReactElement } from 'react'
import { Link } from 'react-router'
import { describeActivity } from '../../../account/describeActivity.ts'
import { Trans } from '../../../i18n/Trans.tsx'
import { t } from '../../../i18n/translate.ts'
import { objectPath } from '../dataBrowser/schemas.ts'

type Names = Record<string, string>
type Values = { actor: ReactElement; subject: ReactElement }

/** Sentences by action. Actions are the names of endpoints, or `account.` and `role.` with what the database recorded. */
const sentences: Record<string, (values: Values) => ReactElement> = {
  disableUser: (values) => <Trans text="{actor} disabled {subject}" values={values} />,
  enableUser: (values) => <Trans text="{actor} enabled {subject}" values={values} />,
  signOutUser: (values) => <Trans text="{actor} ended all sessions of {subject}" values={values} />,
  endUserSession: (values) => <Trans text="{actor} ended one session of {subject}" values={values} />,
  verifyUserEmail: (values) => <Trans text="{actor} verified the email address of {subject}" values={values} />,
  sendUserReset: (values) => <Trans text="{actor} sent a password reset to {subject}" values={values} />,
  impersonateUser: (values) => <Trans text="{actor} impersonated {subject}" values={values} />,
  endImpersonation: ({ actor }) => <Trans text="{actor} ended an impersonation" values={{ actor }} />,
  exportConsoleUser: (values) => <Trans text="{actor} exported the data of {subject}" values={values} />,
  deleteConsoleUser: (values) => <Trans text="{actor} deleted {subject}" values={values} />,
  scheduleUserDeletion: (values) => <Trans text="{actor} scheduled {subject} for deletion" values={values} />,
  undoUserDeletion: (values) => <Trans text="{actor} undid the deletion of {subject}" values={values} />,
  setOperator: (values) => <Trans text="{actor} made {subject} an operator" values={values} />,
  removeOperator: (values) => <Trans text="{actor} removed the operator {subject}" values={values} />,
  claimConsole: ({ actor }) => <Trans text="{actor} became an operator by a link" values={{ actor }} />,
  createOperatorLink: ({ actor }) => <Trans text="{actor} created a link for a new operator" values={{ actor }} />,
  createInvitation: ({ actor }) => <Trans text="{actor} created an invitation" values={{ actor }} />,
  deleteInvitation: ({ actor }) => <Trans text="{actor} deleted an invitation" values={{ actor }} />,
  createObject: (values) => <Trans text="{actor} created {subject}" values={values} />,
  updateObject: (values) => <Trans text="{actor} changed {subject}" values={values} />,
  deleteObject: (values) => <Trans text="{actor} deleted {subject}" values={values} />,
  createRole: (values) => <Trans text="{actor} created the role {subject}" values={values} />,
  updateRole: (values) => <Trans text="{actor} changed the role {subject}" values={values} />,
  deleteRole: (values) => <Trans text="{actor} deleted the role {subject}" values={values} />,
  signUp: (values) => <Trans text="{actor} created the account {subject}" values={values} />,
  logIn: (values) => <Trans text="{actor} signed in as {subject}" values={values} />,
  requestPasswordReset: ({ actor }) => <Trans text="{actor} requested a password reset" values={{ actor }} />,
  uploadFile: (values) => <Trans text="{actor} uploaded the file {subject}" values={values} />,
  createTokenGate: (values) => <Trans text="{actor} created the token gate {subject}" values={values} />,
  deleteTokenGate: (values) => <Trans text="{actor} deleted the token gate {subject}" values={values} />,
  createWebhook: (values) => <Trans text="{actor} created the webhook {subject}" values={values} />,
  updateWebhook: (values) => <Trans text="{actor} changed the webhook {subject}" values={values} />,
  deleteWebhook: (values) => <Trans text="{actor} deleted the webhook {subject}" values={values} />,
  checkTokenGate: (values) => <Trans text="{actor} checked the wallets of the token gate {subject}" values={values} />,
  testWebhook: (values) => <Trans text="{actor} tested the webhook {subject}" values={values} />,
  resendDelivery: (values) => <Trans text="{actor} resent an event of the webhook {subject}" values={values} />,
  createSync: (values) => <Trans text="{actor} started the event sync {subject}" values={values} />,
  replaySync: (values) => <Trans text="{actor} re-indexed {subject}" values={values} />,
  deleteSync: (values) => <Trans text="{actor} removed the event sync {subject}" values={values} />,
  replayState: (values) => <Trans text="{actor} recomputed {subject}" values={values} />,
  createDataView: ({ actor }) => <Trans text="{actor} saved a view" values={{ actor }} />,
  updateDataView: ({ actor }) => <Trans text="{actor} saved a view" values={{ actor }} />,
  deleteDataView: ({ actor }) => <Trans text="{actor} deleted a view" values={{ actor }} />,
  createSavedQuery: ({ actor }) => <Trans text="{actor} saved a query" values={{ actor }} />,
  updateSavedQuery: ({ actor }) => <Trans text="{actor} saved a query" values={{ actor }} />,
  deleteSavedQuery: ({ actor }) => <Trans text="{actor} deleted a query" values={{ actor }} />,
  runSql: ({ actor }) => <Trans text="{actor} ran a SQL query" values={{ actor }} />,
  createOidcClient: (values) => <Trans text="{actor} saved the app {subject}" values={values} />,
  updateOidcClient: (values) => <Trans text="{actor} saved the app {subject}" values={values} />,
  deleteOidcClient: (values) => <Trans text="{actor} deleted the app {subject}" values={values} />,
  createAccessKey: ({ actor }) => <Trans text="{actor} created a key" values={{ actor }} />,
  rotateAccessKey: ({ actor }) => <Trans text="{actor} rotated a key" values={{ actor }} />,
  revokeAccessKey: ({ actor }) => <Trans text="{actor} revoked a key" values={{ actor }} />,
  createService: ({ actor }) => <Trans text="{actor} created a service account" values={{ actor }} />,
  updateService: ({ actor }) => <Trans text="{actor} changed a service account" values={{ actor }} />,
  deleteService: ({ actor }) => <Trans text="{actor} deleted a service account" values={{ actor }} />,
  createSchedule: ({ actor }) => <Trans text="{actor} added a schedule" values={{ actor }} />,
  updateSchedule: ({ actor }) => <Trans text="{actor} changed a schedule" values={{ actor }} />,
  deleteSchedule: ({ actor }) => <Trans text="{actor} deleted a schedule" values={{ actor }} />,
  runFunction: (values) => <Trans text="{actor} ran the function {subject}" values={values} />,
  deleteFile: (values) => <Trans text="{actor} deleted the file {subject}" values={values} />,
  liftSignInLimit: ({ actor }) => <Trans text="{actor} lifted a sign-in limit" values={{ actor }} />,
  sendTestMail: ({ actor }) => <Trans text="{actor} sent a test email" values={{ actor }} />,
  sendPush: ({ actor }) => <Trans text="{actor} sent a push notification" values={{ actor }} />,
  setSetting: (values) => <Trans text="{actor} changed the setting {subject}" values={values} />,
  resetSetting: (values) => <Trans text="{actor} reset the setting {subject}" values={values} />,
  undoSetting: (values) => <Trans text="{actor} undid the change of the setting {subject}" values={values} />,
  updateConfig: ({ actor }) => <Trans text="{actor} changed the config parameters" values={{ actor }} />,
  createSchema: (values) => <Trans text="{actor} created the class {subject}" values={values} />,
  updateSchema: (values) => <Trans text="{actor} changed the class {subject}" values={values} />,
  deleteSchema: (values) => <Trans text="{actor} deleted the class {subject}" values={values} />,
  purgeClass: (values) => <Trans text="{actor} deleted all objects of {subject}" values={values} />,
  applySchema: ({ actor }) => <Trans text="{actor} applied a schema" values={{ actor }} />,
  rotateKeys: ({ actor }) => <Trans text="{actor} rotated the keys" values={{ actor }} />,
  retireKeys: ({ actor }) => <Trans text="{actor} revoked the previous keys" values={{ actor }} />,
  rotateSigningKeys: ({ actor }) => <Trans text="{actor} rotated the signing keys" values={{ actor }} />,
  createBackup: ({ actor }) => <Trans text="{actor} started a backup" values={{ actor }} />,
  startJob: (values) => <Trans text="{actor} started the job {subject}" values={values} />,
  'server.start': () => <>{t('The server started')}</>,
  'key.change': (values) => <Trans text="{actor} changed the key {subject}" values={values} />,
  'account.impersonate': (values) => <Trans text="{actor} impersonated {subject}" values={values} />,
  // Recorded by the database itself, in whatever way the change was made.
  'role.insert': (values) => <Trans text="{actor} created {subject}" values={values} />,
  'role.update': (values) => <Trans text="{actor} changed {subject}" values={values} />,
  'role.delete': (values) => <Trans text="{actor} deleted {subject}" values={values} />,
  'class.insert': (values) => <Trans text="{actor} created the class {subject}" values={values} />,
  'class.update': (values) => <Trans text="{actor} changed the class {subject}" values={values} />,
  'class.delete': (values) => <Trans text="{actor} deleted the class {subject}" values={values} />,
}

const ofAccount = 'account.'

/** An entry of the audit log as one sentence, with links to the people and things in it. */
export function AuditSentence({ entry, names }: { entry: AuditRecord; names: Names }) {
  const { action, subject } = entry
  const values: Values = {
    actor: <Actor actor={entry.actor} names={names} />,
    subject: <Subject action={action} subject={subject} names={names} />,
  }
  const say = Object.hasOwn(sentences, action) ? sentences[action] : undefined
  if (say) return say(values)
  const what = action.startsWith(ofAccount) ? (
    <span>{describeActivity({ ...entry, action: action.slice(ofAccount.length) }).title}</span>
  ) : (
    <code className="text-xs">{action}</code>
  )
  // People change their own account.
  return subject === '' || entry.actor.endsWith(`:${subject}`) ? (
    <Trans text="{actor}: {action}" values={{ actor: values.actor, action: what }} />
  ) : (
    <Trans text="{actor}: {action} on {subject}" values={{ ...values, action: what }} />
  )
}

/** An id that the application has chosen may be `constructor`. */
const nameIn = (names: Names, id: string) => (Object.hasOwn(names, id) ? names[id] : undefined)

const linkClass = 'font-semibold text-accent'

function Actor({ actor, names }: { actor: string; names: Names }) {
  const [kind, id = ''] = actor.split(':')
  if (kind === 'masterKey') return <b>{t('The master key')}</b>
  if (kind === 'server') return <b>{t('The server')}</b>
  if (kind === 'database') return <b>{t('The database')}</b>
  return (
    <Link to={`/admin/users/${id}`} className={linkClass}>
      <bdi>{nameIn(names, id) ?? id}</bdi>
    </Link>
  )
}

/** A user or role by id, an object as Class/id, or a plain name. */
function Subject({ action, subject, names }: { action: string; subject: string; names: Names }) {
  const parts = subject.split('/')
  const id = parts.find((part) => nameIn(names, part) !== undefined)
  const [className = '', objectId] = parts
  const name = id === undefined ? subject : nameIn(names, id)
  const to = isAboutRole(action) && id ? `/admin/roles/${id}` : placeOf(className, objectId, id)
  if (to === undefined) return <b className="wrap-anywhere">{name}</b>
  return (
    <Link to={to} className={linkClass}>
      <bdi className="wrap-anywhere">{name}</bdi>
    </Link>
  )
}

function placeOf(className: string, objectId: string | undefined, id: string | undefined): string | undefined {
  if (className === '_Role') return objectId && `/admin/roles/${objectId}`
  if (id !== undefined) return `/admin/users/${id}`
  return objectId && /^[A-Za-z]\w*$/.test(className) ? objectPath(className, objectId) : undefined
}

/** Entries of the database and of the endpoints for roles, whose subject is the id of the role alone. */
const isAboutRole = (action: string) => /^role\.|Role$/.test(action)

/** Actions that the filter offers. */
export const knownActions = Object.keys(sentences)
