import { Group as GroupIcon, Plus, X } from 'lucide-react'
import { useState } from 'react'
import { t } from '../../../i18n/translate.ts'
import { Button, IconButton } from '../../../ui/Button.tsx'
import { Card } from '../../../ui/Card.tsx'
import { inputClass } from '../../../ui/forms/Field.tsx'
import { CodeBox } from '../CodeBox.tsx'
import { ConditionRow } from './ConditionRow.tsx'
import { type Fields, toCode } from './dataValues.ts'
import {
  type Condition,
  countConditions,
  type Filter,
  type Group,
  isGroup,
  isValidFilter,
  mostConditions,
  toWhere,
} from './filter.ts'

type Props = {
  className: string
  fields: Fields
  order: string
  filter: Filter
  onChange: (filter: Filter) => void
}

const first: Condition = { field: 'objectId', operator: 'equals', value: '' }

/** Builds conditions and groups of them, and shows the query that they make and its code. */
export function DataFilter({ className, fields, order, filter, onChange }: Props) {
  const [draft, setDraft] = useState<Filter>(filter.parts.length > 0 ? filter : { isAny: false, parts: [first] })
  const [isChecked, setChecked] = useState(false)
  const code = toCode(className, toWhere(fields, draft), order)
  const isFull = countConditions(draft) >= mostConditions
  const { parts } = draft
  const replace = (place: number, next: readonly (Condition | Group)[]) =>
    setDraft({ ...draft, parts: parts.flatMap((part, at) => (at === place ? next : [part])) })
  const add = (part: Condition | Group) => setDraft({ ...draft, parts: [...parts, part] })
  return (
    <Card className="mb-4">
      <form
        onSubmit={(event) => {
          event.preventDefault()
          setChecked(true)
          if (isValidFilter(fields, draft)) onChange(draft)
        }}
        className="flex flex-col gap-3"
      >
        {parts.length > 1 && <Match isAny={draft.isAny} onChange={(isAny) => setDraft({ ...draft, isAny })} />}
        {parts.map((part, place) =>
          isGroup(part) ? (
            <GroupBox
              // biome-ignore lint/suspicious/noArrayIndexKey: groups have no other name than their place
              key={place}
              {...{ fields, isChecked, isFull }}
              group={part}
              onChange={(next) => replace(place, next.conditions.length > 0 ? [next] : [])}
              onRemove={() => replace(place, [])}
            />
          ) : (
            <ConditionRow
              // biome-ignore lint/suspicious/noArrayIndexKey: conditions have no other name than their place
              key={place}
              {...{ fields, isChecked }}
              condition={part}
              onChange={(next) => replace(place, [next])}
              onRemove={() => replace(place, [])}
            />
          ),
        )}
        <div className="flex flex-wrap gap-2">
          <Button look="ghost" disabled={isFull} onClick={() => add(first)}>
            <Plus size={18} aria-hidden="true" />
            {t('Add condition')}
          </Button>
          <Button look="ghost" disabled={isFull} onClick={() => add({ isAny: !draft.isAny, conditions: [first] })}>
            <GroupIcon size={18} aria-hidden="true" />
            {t('Add group')}
          </Button>
          <Button type="submit" look="secondary">
            {t('Filter|action')}
          </Button>
        </div>
      </form>
      <div className="mt-4">
        <CodeBox label={t('Code|program')} text={code} />
      </div>
    </Card>
  )
}

function Match({ isAny, onChange }: { isAny: boolean; onChange: (isAny: boolean) => void }) {
  return (
    <select
      aria-label={t('Match')}
      value={isAny ? 'any' : 'all'}
      onChange={(event) => onChange(event.target.value === 'any')}
      className={`${inputClass} sm:max-w-72`}
    >
      <option value="all">{t('All conditions are met')}</option>
      <option value="any">{t('Any condition is met')}</option>
    </select>
  )
}

type GroupProps = {
  fields: Fields
  isChecked: boolean
  isFull: boolean
  group: Group
  onChange: (group: Group) => void
  onRemove: () => void
}

function GroupBox({ fields, isChecked, isFull, group, onChange, onRemove }: GroupProps) {
  const { conditions } = group
  return (
    <fieldset aria-label={t('Group')} className="flex flex-col gap-3 rounded-control border border-edge p-3">
      <div className="flex items-center justify-between gap-2">
        <Match isAny={group.isAny} onChange={(isAny) => onChange({ ...group, isAny })} />
        <IconButton label={t('Remove group')} onClick={onRemove}>
          <X size={18} aria-hidden="true" />
        </IconButton>
      </div>
      {conditions.map((condition, place) => (
        <ConditionRow
          // biome-ignore lint/suspicious/noArrayIndexKey: conditions have no other name than their place
          key={place}
          {...{ fields, condition, isChecked }}
          onChange={(next) =>
            onChange({ ...group, conditions: conditions.map((each, at) => (at === place ? next : each)) })
          }
          onRemove={() => onChange({ ...group, conditions: conditions.filter((_, at) => at !== place) })}
        />
      ))}
      <div>
        <Button
          look="ghost"
          disabled={isFull}
          onClick={() => onChange({ ...group, conditions: [...conditions, first] })}
        >
          <Plus size={18} aria-hidden="true" />
          {t('Add condition')}
        </Button>
      </div>
    </fieldset>
  )
}
