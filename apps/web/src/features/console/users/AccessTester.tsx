import type { AccessRecord, AccessStep, ClassOperation } from '@countersign/protocol'
import { CircleCheck, CircleX } from 'lucide-react'
import { type FormEvent, useState } from 'react'
import { useSearchParams } from 'react-router'
import { t } from '../../../i18n/translate.ts'
import { Badge } from '../../../ui/Badge.tsx'
import { Button } from '../../../ui/Button.tsx'
import { Card, CardHeader } from '../../../ui/Card.tsx'
import { ReadingStatus } from '../../../ui/feedback/ReadingStatus.tsx'
import { SelectField, TextField } from '../../../ui/forms/Field.tsx'
import { PageHeader } from '../../../ui/PageHeader.tsx'
import { type Input, useAsk } from '../ask.ts'

const operations: readonly ClassOperation[] = ['get', 'find', 'count', 'create', 'update', 'delete', 'addField']

/** "Can this user do that, and why": the input is in the URL, so that it can be shared. */
export function AccessTester() {
  const [parameters, setParameters] = useSearchParams()
  const read = (name: string) => parameters.get(name) ?? ''
  const [operation, setOperation] = useState<string>(operations.find((each) => each === read('operation')) ?? 'get')
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const form = new FormData(event.currentTarget)
    const given = ['user', 'className', 'objectId'].map((name) => [name, String(form.get(name) ?? '').trim()] as const)
    setParameters(Object.fromEntries([...given, ['operation', operation] as const].filter(([, value]) => value !== '')))
  }
  const question: Input<'testAccess'> | undefined = read('className')
    ? {
        className: read('className'),
        operation: operations.find((each) => each === read('operation')) ?? 'get',
        ...(read('user') && { user: read('user') }),
        ...(read('objectId') && { objectId: read('objectId') }),
      }
    : undefined
  return (
    <>
      <PageHeader title={t('Access tester')}>
        {t('Check if a user can read or change an object, and which rule decides.')}
      </PageHeader>
      <Card className="mb-6">
        <form onSubmit={submit} className="grid gap-4 sm:grid-cols-2">
          <TextField
            label={t('User')}
            name="user"
            hint={t('Name or ID. Leave empty for a visitor who is not signed in.')}
            defaultValue={read('user')}
            maxLength={200}
            autoComplete="off"
          />
          <SelectField
            label={t('Operation')}
            name="operation"
            value={operation}
            options={operations.map((each) => [each, nameOperation(each)] as const)}
            onChange={setOperation}
          />
          <TextField
            label={t('Class')}
            name="className"
            required
            defaultValue={read('className')}
            maxLength={200}
            autoComplete="off"
          />
          <TextField
            label={t('Object ID')}
            name="objectId"
            hint={t('Leave empty to test the whole class')}
            defaultValue={read('objectId')}
            maxLength={64}
            autoComplete="off"
          />
          <div className="sm:col-span-2">
            <Button type="submit">{t('Test access')}</Button>
          </div>
        </form>
      </Card>
      {question && <Verdict question={question} />}
    </>
  )
}

function nameOperation(operation: ClassOperation): string {
  switch (operation) {
    case 'get':
      return t('Get')
    case 'find':
      return t('Find')
    case 'count':
      return t('Count')
    case 'create':
      return t('Create')
    case 'update':
      return t('Update')
    case 'delete':
      return t('Delete')
    default:
      return t('Add field')
  }
}

function Verdict({ question }: { question: Input<'testAccess'> }) {
  const answer = useAsk('testAccess', question)
  if (answer.status !== 'success') return <ReadingStatus reading={answer} failure={t('The test failed')} always />
  const { isAllowed, isFound, roles, steps } = answer.data
  const Icon = isAllowed ? CircleCheck : CircleX
  return (
    <Card aria-labelledby="verdict" aria-live="polite">
      <h2 id="verdict" className="flex items-center gap-2 text-lg">
        <Icon size={22} aria-hidden="true" className={isAllowed ? 'text-ok' : 'text-danger'} />
        {isAllowed ? t('Allowed') : t('Denied')}
      </h2>
      {isFound === false && <p className="mt-2 text-sm text-muted">{t('No object has this ID.')}</p>}
      <ol className="mt-4 flex flex-col gap-3">
        {steps.map((step) => (
          <Step key={step.rule} step={step} />
        ))}
      </ol>
      {roles.length > 0 && <RoleList roles={roles} />}
    </Card>
  )
}

function Step({ step: { rule, outcome, entry, path, holds } }: { step: AccessStep }) {
  return (
    <li className="rounded-control border border-line p-4 text-sm">
      <p className="flex flex-wrap items-center gap-2">
        <span className="font-semibold">{nameRule(rule)}</span>
        <Badge tone={outcome === 'allows' ? 'ok' : outcome === 'limits' ? 'neutral' : 'warn'}>
          {outcome === 'allows' ? t('Allows') : outcome === 'limits' ? t('Restricts') : t('Denies')}
        </Badge>
      </p>
      {entry && <p className="mt-1 wrap-anywhere">{entry === '*' ? t('Everyone') : <code>{entry}</code>}</p>}
      {path && path.length > 1 && <p className="mt-1 text-muted wrap-anywhere">{path.join(' → ')}</p>}
      {holds && (
        <p className="mt-1 text-muted wrap-anywhere">{holds.length > 0 ? holds.join(', ') : t('Nobody is listed.')}</p>
      )}
    </li>
  )
}

function nameRule(rule: AccessStep['rule']): string {
  switch (rule) {
    case 'masterKey':
      return t('Master key')
    case 'internalClass':
      return t('Built-in class')
    case 'classPermissions':
      return t('Class permissions')
    case 'pointer':
      return t('Fields that point to the user')
    case 'accessList':
      return t('Object access list (ACL)')
    case 'ownAccount':
      return t('Own account')
    case 'ownSession':
      return t('Own session')
    default:
      return t('Hidden fields')
  }
}

function RoleList({ roles }: Pick<AccessRecord, 'roles'>) {
  return (
    <div className="mt-6">
      <CardHeader level="h3" title={t('Roles of this user')} />
      <ul className="flex flex-col gap-1 text-sm">
        {roles.map(({ name, path }) => (
          <li key={name} className="wrap-anywhere">
            <span className="font-semibold">{name}</span>
            {path.length > 1 && <span className="text-muted"> ({path.join(' → ')})</span>}
          </li>
        ))}
      </ul>
    </div>
  )
}
