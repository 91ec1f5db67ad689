import type { CountersignError } from '@countersign/react'
import { type ReactNode, type Ref, useEffect, useRef, useState } from 'react'
import { t } from '../../i18n/translate.ts'
import { cx } from '../cx.ts'
import { Alert } from '../feedback/Alert.tsx'
import { describeError } from './describeError.ts'
import { useCountdown } from './useCountdown.ts'

type Props = {
  /** For a button that stands outside of it. */
  id?: string
  formRef: Ref<HTMLFormElement>
  onSubmit: (values: Record<string, string>) => void
  label: string
  /** Called with true if a field has text. */
  onTyping?: (isTyping: boolean) => void
  className?: string
  children: ReactNode
}

/** A form that shows errors at its own fields instead of the browser's bubbles. */
export function Form({ id, formRef, onSubmit, label, onTyping, className, children }: Props) {
  return (
    <form
      id={id}
      ref={formRef}
      noValidate
      aria-label={label}
      onInput={({ currentTarget }) =>
        onTyping?.([...new FormData(currentTarget).values()].some((value) => value !== ''))
      }
      className={cx('flex flex-col gap-5', className)}
      onSubmit={(event) => {
        event.preventDefault()
        const entries = [...new FormData(event.currentTarget)].map(([name, value]) => [name, String(value)])
        onSubmit(Object.fromEntries(entries))
      }}
    >
      {children}
    </form>
  )
}

type FormProblemAlertProps = {
  problem: FormProblem | undefined
  secondsLeft: number
  actions?: ReactNode
  children?: ReactNode
}

/** The error summary above a form; nothing when all is well. */
export function FormProblemAlert({ problem, secondsLeft, actions, children }: FormProblemAlertProps) {
  if (!problem?.message) return null
  return (
    <Alert tone="danger" title={problem.message} actions={actions}>
      {children}
      {problem.retryAfter ? (
        <p aria-live="off">
          {secondsLeft > 0
            ? t('You can try again in {seconds} s.', { seconds: secondsLeft })
            : t('You can try again now.')}
        </p>
      ) : null}
    </Alert>
  )
}

/** Problems of a form: a sentence for the whole, a sentence per field, a wait, and a next step. */
export type FormProblem = {
  message?: string
  fields?: Partial<Record<string, string>>
  retryAfter?: number
  focus?: string
  /** Said above the form where it has no field for it. */
  otherwise?: string
}

/** Keeps a form's problem and moves the focus to the first field that has one. */
export function useFormProblem() {
  const formRef = useRef<HTMLFormElement>(null)
  const [problem, setProblem] = useState<FormProblem>()
  const secondsLeft = useCountdown(problem?.retryAfter, problem)
  useEffect(() => {
    if (!problem) return
    const selector = problem.focus ? `[name="${problem.focus}"]` : '[aria-invalid="true"]'
    const field = formRef.current?.querySelector<HTMLElement>(selector)
    field?.focus()
    if (!field && problem.otherwise) setProblem({ message: problem.otherwise })
  }, [problem])
  return { formRef, problem, setProblem, secondsLeft, errors: problem?.fields ?? {} }
}

/** A refused request as a form's problem, said once, at its field; `rename` says under which name the form keeps that. */
export function problemOf(error: CountersignError, rename: Partial<Record<string, string>> = {}): FormProblem {
  const { message, field, retryAfter } = describeError(error)
  if (!field) return { message, retryAfter }
  return { fields: { [rename[field] ?? field]: message }, otherwise: message }
}
