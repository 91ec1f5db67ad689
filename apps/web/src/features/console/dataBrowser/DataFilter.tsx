import { Plus, X } from 'lucide-react'
import { useState } from 'react'
import { t } from '../../../i18n/translate.ts'
import { Button, IconButton } from '../../../ui/Button.tsx'
import { Card } from '../../../ui/Card.tsx'
import { CopyButton } from '../../../ui/CopyButton.tsx'
import { inputClass } from '../../../ui/forms/Field.tsx'
import { type Condition, type Fields, type Operator, operators, toCode, toWhere } from './dataValues.ts'

type Props = {
  className: string
  fields: Fields
  order: string
  conditions: readonly Condition[]
  onChange: (conditions: readonly Condition[]) => void
}

/** Builds conditions, and shows the query that they make and its code. */
export function DataFilter({ className, fields, order, conditions, onChange }: Props) {
  const [draft, setDraft] = useState<readonly Condition[]>(
    conditions.length > 0 ? conditions : [{ field: 'objectId', operator: 'equals', value: '' }],
  )
  const change = (place: number, next: Partial<Condition>) =>
    setDraft(draft.map((each, at) => (at === place ? { ...each, ...next } : each)))
  const where = toWhere(fields, draft)
  const code = toCode(className, where, order)
  return (
    <Card className="mb-4">
      <form
        onSubmit={(event) => {
          event.preventDefault()
          onChange(draft)
        }}
        className="flex flex-col gap-3"
      >
        {draft.map(({ field, operator, value }, place) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: conditions have no other name than their place
          <div key={place} className="flex flex-wrap gap-2">
            <select
              aria-label={t('Field')}
              value={field}
              onChange={(event) => change(place, { field: event.target.value })}
              className={`${inputClass} flex-1 basis-36`}
            >
              {Object.keys(fields).map((name) => (
                <option key={name}>{name}</option>
              ))}
            </select>
            <select
              aria-label={t('Condition')}
              value={operator}
              onChange={(event) => change(place, { operator: event.target.value as Operator })}
              className={`${inputClass} flex-1 basis-36`}
            >
              {operators.map((name) => (
                <option key={name} value={name}>
                  {describeOperator(name)}
                </option>
              ))}
            </select>
            {operator !== 'exists' && operator !== 'missing' && (
              <input
                aria-label={t('Value')}
                placeholder={operator === 'oneOf' ? t('Values separated by commas') : undefined}
                value={value}
                maxLength={1_000}
                dir="auto"
                onChange={(event) => change(place, { value: event.target.value })}
                className={`${inputClass} flex-2 basis-44`}
              />
            )}
            <IconButton label={t('Remove')} onClick={() => setDraft(draft.filter((_, at) => at !== place))}>
              <X size={18} aria-hidden="true" />
            </IconButton>
          </div>
        ))}
        <div className="flex flex-wrap gap-2">
          <Button
            look="ghost"
            disabled={draft.length >= 20}
            onClick={() => setDraft([...draft, { field: 'objectId', operator: 'equals', value: '' }])}
          >
            <Plus size={18} aria-hidden="true" />
            {t('Add condition')}
          </Button>
          <Button type="submit" look="secondary">
            {t('Filter|action')}
          </Button>
          <CopyButton label={t('Copy code')} text={code} />
        </div>
      </form>
      <section
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what is scrolled must be reached with the keyboard
        tabIndex={0}
        aria-label={t('Code')}
        dir="ltr"
        className="mt-4 overflow-x-auto rounded-control bg-sunken p-3.5"
      >
        <pre className="text-xs">{code}</pre>
      </section>
    </Card>
  )
}

function describeOperator(operator: Operator): string {
  switch (operator) {
    case 'equals':
      return t('is')
    case 'differs':
      return t('is not')
    case 'oneOf':
      return t('one of')
    case 'above':
      return t('>')
    case 'atLeast':
      return t('≥')
    case 'below':
      return t('<')
    case 'atMost':
      return t('≤')
    case 'starts':
      return t('starts with')
    case 'contains':
      return t('contains')
    case 'exists':
      return t('has a value')
    case 'missing':
      return t('has no value')
  }
}
