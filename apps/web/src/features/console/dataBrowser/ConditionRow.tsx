import { X } from 'lucide-react'
import { useId } from 'react'
import { t } from '../../../i18n/translate.ts'
import { IconButton } from '../../../ui/Button.tsx'
import { inputClass } from '../../../ui/forms/Field.tsx'
import { type Fields, fieldOf, fromLocalInput, toLocalInput } from './dataValues.ts'
import { describeOperator } from './describeFilter.ts'
import { type Condition, isValid, needsValue, type Operator, operatorsOf } from './filter.ts'

type Props = {
  fields: Fields
  condition: Condition
  /** Says what is wrong. */
  isChecked: boolean
  onChange: (condition: Condition) => void
  onRemove: () => void
}

/** One condition: a field, an operator that its type has, and a value of that type. */
export function ConditionRow({ fields, condition, isChecked, onChange, onRemove }: Props) {
  const id = useId()
  const { field, operator, value } = condition
  const type = fieldOf(fields, field)?.type
  const isWrong = isChecked && !isValid(fields, condition)
  const choose = (name: string) => {
    const next = fieldOf(fields, name)?.type
    const allowed = operatorsOf(next)
    const kept = allowed.includes(operator) ? operator : (allowed[0] as Operator)
    onChange({ field: name, operator: kept, value: next === type ? value : '' })
  }
  return (
    <div className="flex flex-wrap gap-2">
      <select
        aria-label={t('Field')}
        value={field}
        onChange={(event) => choose(event.target.value)}
        className={`${inputClass} flex-1 basis-36`}
      >
        {!(field in fields) && <option>{field}</option>}
        {Object.keys(fields).map((name) => (
          <option key={name}>{name}</option>
        ))}
      </select>
      <select
        aria-label={t('Condition')}
        value={operator}
        onChange={(event) => {
          const next = event.target.value as Operator
          onChange({ ...condition, operator: next, value: next === 'within' || operator === 'within' ? '' : value })
        }}
        className={`${inputClass} flex-1 basis-36`}
      >
        {operatorsOf(type).map((name) => (
          <option key={name} value={name}>
            {describeOperator(name)}
          </option>
        ))}
      </select>
      {needsValue(operator) && (
        <ValueInput
          type={type}
          condition={condition}
          invalid={isWrong ? id : undefined}
          onChange={(next) => onChange({ ...condition, value: next })}
        />
      )}
      <IconButton label={t('Remove')} onClick={onRemove}>
        <X size={18} aria-hidden="true" />
      </IconButton>
      {isWrong && (
        <p id={id} role="alert" className="w-full text-sm text-danger">
          {type === 'String' ? t('Enter a value.') : t('Not a valid value of type {type}.', { type: type ?? field })}
        </p>
      )}
    </div>
  )
}

type ValueProps = {
  type: string | undefined
  condition: Condition
  /** Id of the text that says what is wrong. */
  invalid: string | undefined
  onChange: (value: string) => void
}

function ValueInput({ type, condition: { operator, value }, invalid, onChange }: ValueProps) {
  const shared = {
    'aria-label': t('Value'),
    'aria-invalid': invalid ? true : undefined,
    'aria-describedby': invalid,
    className: `${inputClass} flex-2 basis-44`,
  }
  if (operator === 'within') return <CircleInput {...{ value, onChange, invalid }} />
  if (type === 'Boolean')
    return (
      <select {...shared} value={value} onChange={(event) => onChange(event.target.value)}>
        <option value="" />
        {['true', 'false'].map((each) => (
          <option key={each}>{each}</option>
        ))}
      </select>
    )
  const isDate = type === 'Date'
  const isList = operator === 'oneOf' || operator === 'noneOf'
  return (
    <input
      {...shared}
      type={isDate ? 'datetime-local' : 'text'}
      placeholder={
        isList
          ? t('Values separated by commas')
          : type === 'Pointer' || type === 'Relation'
            ? t('Object ID')
            : undefined
      }
      inputMode={type === 'Number' && !isList ? 'decimal' : undefined}
      value={isDate ? toLocalInput(value) : value}
      maxLength={1_000}
      dir="auto"
      onChange={(event) => onChange(isDate ? fromLocalInput(event.target.value) : event.target.value)}
    />
  )
}

type CircleProps = { value: string; onChange: (value: string) => void; invalid: string | undefined }

/** A place and a distance in km. */
function CircleInput({ value, onChange, invalid }: CircleProps) {
  const parts = value.split(',')
  return [t('Latitude'), t('Longitude'), t('Distance (km)')].map((label, place) => (
    <input
      key={label}
      aria-label={label}
      placeholder={label}
      aria-invalid={invalid ? true : undefined}
      aria-describedby={invalid}
      inputMode="decimal"
      dir="ltr"
      maxLength={30}
      value={parts[place] ?? ''}
      onChange={(event) => {
        const text = event.target.value.replaceAll(',', '.')
        onChange([0, 1, 2].map((at) => (at === place ? text : (parts[at] ?? ''))).join(','))
      }}
      className={`${inputClass} flex-1 basis-28`}
    />
  ))
}
