import { type ClassSchema, describeType, type FieldType } from '../ClassSchema.ts'
import type { ClassStep } from '../ClassStep.ts'
import type { PlannedClass } from './planFile.ts'

/** One line of a plan. `drops`: data is lost. */
export type PlanLine = { text: string; drops: boolean }

/** A plan for people. `count` is how many objects a class holds. */
export function describeSteps({ className, current, steps }: PlannedClass, count: number | undefined): PlanLine[] {
  return steps.map((step) => ({
    text: describeStep(className, current, step, count),
    drops: step.kind === 'dropClass' || step.kind === 'dropField' || step.kind === 'dropRelation',
  }))
}

function describeStep(
  className: string,
  current: ClassSchema | undefined,
  step: ClassStep,
  count: number | undefined,
): string {
  switch (step.kind) {
    case 'createClass':
      return `make class ${className}`
    case 'dropClass':
      return `drop class ${className}${count === undefined ? '' : ` with ${count} object${count === 1 ? '' : 's'}`}`
    case 'markDropped':
      return `show class ${className} again`
    case 'addField':
      return `add ${className}.${step.name}: ${describeField(step.field)}`
    case 'changeField':
      return `change ${className}.${step.name} to ${describeField(step.field)}`
    case 'dropField': {
      const field = current?.fields.get(step.name)
      return `drop ${className}.${step.name}${field ? `: ${describeType(field)}` : ''} with what it holds`
    }
    case 'addRelation':
      return `add ${className}.${step.name}: Relation<${step.targetClass}>`
    case 'dropRelation':
      return `drop ${className}.${step.name}: Relation<${current?.relations.get(step.name) ?? ''}> with what it holds`
    case 'addIndex': {
      const fields = [...step.index.fields].map(([name, direction]) => `${name} ${direction}`).join(', ')
      return `add ${step.index.unique ? 'unique ' : ''}index ${step.name} of ${className}: ${fields}`
    }
    case 'dropIndex':
      return `drop index ${step.name} of ${className}`
    case 'setPermissions':
      return `set the permissions of ${className}`
  }
}

function describeField(field: FieldType): string {
  const options = [
    ...(field.required ? ['required'] : []),
    ...(field.defaultValue === undefined ? [] : [`default ${JSON.stringify(field.defaultValue)}`]),
  ]
  return [describeType(field), ...options].join(', ')
}
