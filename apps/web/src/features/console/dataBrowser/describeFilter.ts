import { t } from '../../../i18n/translate.ts'
import { formatMinute } from '../formats.ts'
import { type Fields, fieldOf } from './dataValues.ts'
import { type Condition, type Group, isGroup, needsValue, type Operator, readCircle } from './filter.ts'

export function describeOperator(operator: Operator): string {
  switch (operator) {
    case 'equals':
      return t('is')
    case 'differs':
      return t('is not')
    case 'oneOf':
      return t('one of')
    case 'noneOf':
      return t('none of')
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
    case 'has':
      return t('includes')
    case 'within':
      return t('within')
    case 'exists':
      return t('has a value')
    case 'missing':
      return t('has no value')
  }
}

/** A condition, or a group of them, in words. */
export function describePart(fields: Fields, part: Condition | Group): string {
  if (!isGroup(part)) return describeCondition(fields, part)
  const words = part.conditions.map((each) => describeCondition(fields, each))
  return words.join(` ${part.isAny ? t('or') : t('and')} `)
}

function describeCondition(fields: Fields, { field, operator, value }: Condition): string {
  const circle = operator === 'within' && readCircle(value)
  if (circle)
    return t('{field} within {distance} km of {place}', {
      field,
      distance: String(circle.km),
      place: `${circle.latitude}, ${circle.longitude}`,
    })
  const sign = describeOperator(operator)
  if (!needsValue(operator)) return `${field} ${sign}`
  const date = fieldOf(fields, field)?.type === 'Date' ? new Date(value) : undefined
  const shown = date && !Number.isNaN(date.getTime()) ? formatMinute(date) : value
  return `${field} ${sign} ${shown || '""'}`
}
