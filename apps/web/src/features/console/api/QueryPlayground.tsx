import { type FormEvent, useId, useState } from 'react'
import { useSearchParams } from 'react-router'
import { t } from '../../../i18n/translate.ts'
import { Button } from '../../../ui/Button.tsx'
import { Card, CardHeader } from '../../../ui/Card.tsx'
import { ReadingStatus } from '../../../ui/feedback/ReadingStatus.tsx'
import { FieldFrame, inputClass, TextField } from '../../../ui/forms/Field.tsx'
import { type Input, useAsk } from '../ask.ts'
import { CodeBox } from '../CodeBox.tsx'
import { readObject } from '../jsonSchema.ts'
import { JsonField } from '../SchemaForm.tsx'

const names = ['class', 'where', 'order', 'limit', 'include'] as const
type Query = { [Name in (typeof names)[number]]: string }

/** In the language of queries. */
const examples = { order: '-createdAt', include: 'owner' }

/** A query built by hand: its result, and its code for the public client. The query is in the URL. */
export function QueryPlayground() {
  const [parameters, setParameters] = useSearchParams()
  const asked = Object.fromEntries(names.map((name) => [name, parameters.get(name) ?? ''])) as Query
  const run = (query: Query) => {
    const given = Object.entries(query).filter(([, value]) => value !== '')
    setParameters({ show: 'query', ...Object.fromEntries(given) })
  }
  return (
    <div className="mt-6 flex flex-col gap-6">
      <QueryForm key={JSON.stringify(asked)} asked={asked} onRun={run} />
      {asked.class !== '' && <Answer query={asked} />}
    </div>
  )
}

function QueryForm({ asked, onRun }: { asked: Query; onRun: (query: Query) => void }) {
  const id = useId()
  const schemas = useAsk('listSchemas', {})
  const [draft, setDraft] = useState({ ...asked, limit: asked.limit || '20' })
  const [fault, setFault] = useState<string>()
  const set = (name: keyof Query) => (value: string) => setDraft({ ...draft, [name]: value })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    const isJson = readWhere(draft.where) !== undefined
    setFault(isJson ? undefined : t('Not a valid value of type {type}.', { type: 'object' }))
    if (isJson && draft.class) onRun(draft)
  }
  if (!schemas.data) return <ReadingStatus reading={schemas} failure={t('The classes could not be loaded')} />
  return (
    <Card>
      <form noValidate onSubmit={submit} className="flex flex-col gap-4">
        <FieldFrame id={id} label={t('Class')}>
          <select
            id={id}
            value={draft.class}
            onChange={(event) => set('class')(event.target.value)}
            className={inputClass}
          >
            <option value="">{t('Not set')}</option>
            {schemas.data.results.map(({ className }) => (
              <option key={className}>{className}</option>
            ))}
          </select>
        </FieldFrame>
        <JsonField
          label={t('Conditions as JSON')}
          text={draft.where}
          rows={4}
          onChange={set('where')}
          {...(fault && { error: fault })}
        />
        <div className="grid gap-4 sm:grid-cols-3">
          <TextField
            label={t('Order')}
            dir="ltr"
            placeholder={examples.order}
            maxLength={1_000}
            value={draft.order}
            onChange={(event) => set('order')(event.target.value)}
          />
          <TextField
            label={t('Include')}
            dir="ltr"
            placeholder={examples.include}
            maxLength={1_000}
            value={draft.include}
            onChange={(event) => set('include')(event.target.value)}
          />
          <TextField
            label={t('Limit')}
            dir="ltr"
            inputMode="numeric"
            maxLength={4}
            value={draft.limit}
            onChange={(event) => set('limit')(event.target.value.replace(/\D/g, ''))}
          />
        </div>
        <div>
          <Button type="submit" disabled={draft.class === ''}>
            {t('Run')}
          </Button>
        </div>
      </form>
    </Card>
  )
}

function Answer({ query }: { query: Query }) {
  const options = optionsOf(query)
  const answer = useAsk('findObjects', { className: query.class, ...options })
  const code = `const query = Parse.Query.fromJSON(${JSON.stringify(query.class)}, ${JSON.stringify(options, null, 2)})\nconst results = await query.find()`
  return (
    <>
      <Card>
        <CardHeader title={t('SDK code')} />
        <CodeBox label={t('SDK code')} text={code} />
      </Card>
      <Card>
        <CardHeader title={t('Result')}>
          {answer.data && t('{count, plural, one {# object} other {# objects}}', { count: answer.data.results.length })}
        </CardHeader>
        <ReadingStatus reading={answer} failure={t('The query failed')} always bare />
        {answer.status === 'success' && (
          <CodeBox label={t('Result')} text={JSON.stringify(answer.data.results, null, 2)} />
        )}
      </Card>
    </>
  )
}

type Options = Pick<Input<'findObjects'>, 'where' | 'order' | 'include' | 'limit'>

function optionsOf({ where, order, include, limit }: Query): Options {
  const conditions = readWhere(where) ?? {}
  return {
    ...(Object.keys(conditions).length > 0 && { where: conditions as NonNullable<Options['where']> }),
    ...(order && { order }),
    ...(include && { include }),
    limit: Math.min(Number(limit) || 20, 1_000),
  }
}

function readWhere(text: string) {
  try {
    return readObject(text)
  } catch {
    return undefined
  }
}
