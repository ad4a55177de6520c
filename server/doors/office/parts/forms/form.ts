import type { Html } from '../../../../platform/html/html.ts'
import type { Field } from '../../../../platform/kernel/fields.ts'
import type { Form } from '../../frame/page.ts'
import { type FormSeen, type Typed, areaField, choiceField, lineField, typedIn } from './fields.ts'

/** One field of a record in a form, as its slice describes it. */
export const fieldPart = <Column extends string>(
  { fields }: { readonly fields: Readonly<Record<Column, Field>> },
  seen: FormSeen,
  column: Column,
  more: { readonly rows?: number; readonly list?: readonly string[] } = {},
): Html => {
  const { choices, isLong, most, ...field }: Field = fields[column]
  if (choices) return choiceField(seen, { ...field, choices })
  if (isLong && most !== undefined) return areaField(seen, { ...field, ...more, most })
  return lineField(seen, { ...field, ...more, ...(most !== undefined && { most }) })
}

/** A form that was refused, with what was typed; `now`: its record, which somebody else may have changed meanwhile. */
export const refusedForm = (
  form: Form,
  message: string,
  now?: { readonly version: number; readonly typed: Typed },
): FormSeen => ({
  typed: typedIn(form),
  mistake: message,
  ...(now && form.text('version') !== String(now.version) && { meanwhile: now.typed }),
})
