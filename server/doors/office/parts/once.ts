import { makeOnce } from '../../../platform/http/form-token.ts'
import type { Form } from '../frame/page.ts'
import type { OfficeWork } from '../frame/serve-page.ts'

/** What a form of the office makes, once per token; `name` keeps apart the forms that make different things. */
export const once = <Else = never>(
  work: OfficeWork,
  name: string,
  form: Form,
  make: () => Promise<number | Else>,
): Promise<number | Else> => {
  const body = JSON.stringify(
    form
      .names()
      .toSorted()
      .map((field) => [field, form.all(field)]),
  )
  return makeOnce(work, { form: name, token: form.text('token'), body }, make)
}
