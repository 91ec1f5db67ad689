import { Link, type LinkProps } from 'react-router'
import { type ButtonLook, buttonClass } from '../lib/buttonClass.ts'

export function ButtonLink({ look, className, ...rest }: LinkProps & { look?: ButtonLook }) {
  return <Link {...rest} className={buttonClass(look, className)} />
}
