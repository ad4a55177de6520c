import { type Html, html } from '../../../platform/html/html.ts'
import { pipelineOf } from '../../../crm/leads/pipeline.ts'
import { type FormSeen, areaField, mistakePart, versionField } from '../parts/forms/fields.ts'
import type { OfficeWork } from '../frame/serve-page.ts'

const home = '/office/leads'

/** The stages of the venue's board, in order, in its own words. */
export const pipelinePage = async ({ db, venue }: OfficeWork, sent?: FormSeen): Promise<Html> => {
  const { stages, version } = await pipelineOf(db, venue.id)
  const now = { stages: stages.join('\n') }
  const changed = sent !== undefined && sent.typed.version !== String(version)
  const seen: FormSeen = sent ? { ...sent, ...(changed && { meanwhile: now }) } : { typed: now }
  return html`<div class="page-head">
      <div>
        <p class="small"><a class="crumb" href="${home}">‹ Leads</a></p>
        <h1>Stages</h1>
      </div>
    </div>
    <section class="card narrow">
      <form class="form" method="post" action="${home}/pipeline">
        ${versionField(version)} ${mistakePart(seen)}
        ${areaField(seen, {
          name: 'stages',
          label: 'One on each line, in order',
          most: 2_000,
          rows: 10,
          hint: 'New inquiries start in Inquiry, so it cannot be removed. Leads in a stage you remove stay in their column.',
        })}
        <div class="inline">
          <button class="primary">Save</button><a class="button quiet" href="${home}">Cancel</a>
        </div>
      </form>
    </section>`
}
