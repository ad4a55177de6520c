import { limits } from '@venue-data/contract/limits.ts'
import { type Html, html } from '../../../platform/html/html.ts'
import { months } from '../../../platform/kernel/time/calendar.ts'
import { choiceField, lineField } from '../parts/forms/fields.ts'
import type { SegmentTyped } from './segment-fields.ts'

/** What the conditions can name. */
export type SegmentChoices = {
  readonly tags: readonly string[]
  readonly events: readonly { readonly id: number; readonly name: string }[]
  readonly campaigns: readonly { readonly id: number; readonly name: string }[]
  readonly ownEvent: string | undefined
}

/** The conditions, each of which applies as soon as it is filled in. */
export const segmentFields = (typed: SegmentTyped, choices: SegmentChoices): Html => {
  const { tags, campaigns, ownEvent } = choices
  const text: Readonly<Record<string, string>> = Object.fromEntries(
    Object.entries(typed).filter((entry): entry is [string, string] => typeof entry[1] === 'string'),
  )
  const seen = { typed: text }
  const number = (name: string, label: string, greatest: number, placeholder?: string) =>
    lineField(seen, {
      name,
      label,
      type: 'number',
      least: 1,
      greatest,
      ...(placeholder !== undefined && { placeholder }),
    })
  const events = (chosen: string): (readonly [string, string])[] => [
    ...choices.events.map(({ id, name }) => [String(id), name] as const),
    ...(/^\d+$/.test(chosen) && !choices.events.some(({ id }) => String(id) === chosen)
      ? [[chosen, `Event ${chosen}`] as const]
      : []),
  ]
  return html`<p class="soft">
      Everybody who is subscribed, unless you narrow it down. Empty fields are ignored; everything you fill in must match.
    </p>
    <div class="conditions">
      <fieldset class="condition">
        <legend>Tags</legend>
        ${tagChoice('anyTags', 'At least one of these', tags, typed.anyTags)}
        ${tagChoice('allTags', 'All of these', tags, typed.allTags)}
        ${typed.noTags.length > 0 && tagChoice('noTags', 'None of these', tags, typed.noTags)}
      </fieldset>
      <fieldset class="condition">
        <legend>Visits</legend>
        <div class="fields">
          ${number('minVisits', 'Visited at least', limits.segmentVisits, 'times')}
          ${number('withinDays', 'in the last', limits.segmentDays, 'days, or ever')}
        </div>
        <div class="fields">
          ${number('notSinceDays', 'Has not visited in', limits.segmentDays, 'days')}
          ${number('lapsedVisits', 'Earlier visits, at least', limits.segmentVisits, '1')}
        </div>
      </fieldset>
      <fieldset class="condition">
        <legend>Birthday and tickets</legend>
        ${choiceField(seen, {
          name: 'birthday',
          label: 'Birthday in',
          choices: [
            ['', 'Any month, or unknown'],
            ['now', 'The month the list is built in'],
            ...months.map((name, i) => [String(i + 1), name] as const),
          ],
        })}
        ${choiceField(seen, {
          name: 'buyersOf',
          label: 'Bought a ticket for',
          choices: [['', 'Any or none'], ...events(typed.buyersOf)],
        })}
      </fieldset>
      <fieldset class="condition">
        <legend>Leave out</legend>
        ${choiceField(seen, {
          name: 'holdersOf',
          label: 'Ticket holders for',
          choices: [
            ['', ownEvent === undefined ? 'No event' : `${ownEvent}, the event of this campaign`],
            ...(ownEvent === undefined && typed.holdersOf !== 'nobody'
              ? []
              : [['nobody', 'Nobody: email ticket holders, too'] as const]),
            ...events(typed.holdersOf),
          ],
        })}
        ${number('mailedDays', 'Emailed in the last', limits.segmentDays, 'days')}
        ${tagChoice('outTags', 'Has one of these tags', tags, typed.outTags)}
        ${
          campaigns.length > 0 &&
          html`<details ${typed.outCampaigns.length > 0 && html`open`}>
            <summary>Got another campaign</summary>
            ${chips(
              'outCampaigns',
              'Got one of these',
              campaigns.map(({ id, name }) => [String(id), name]),
              typed.outCampaigns,
            )}
          </details>`
        }
      </fieldset>
    </div>`
}

/** As many tags as a person will scan; the rest are typed. */
const tagsShown = 40

const tagChoice = (name: string, label: string, tags: readonly string[], chosen: readonly string[]): Html => {
  const isChosen = new Set(chosen.map((tag) => tag.toLowerCase()))
  const listed = new Set(tags.map((tag) => tag.toLowerCase()))
  const shown = [
    ...tags.filter((tag, i) => i < tagsShown || isChosen.has(tag.toLowerCase())),
    ...chosen.filter((tag) => !listed.has(tag.toLowerCase())),
  ]
  if (shown.length === 0) return html`<p class="soft small">${label}: no tags yet.</p>`
  return html`${chips(
    name,
    label,
    shown.map((tag) => [tag, listed.has(tag.toLowerCase()) ? tag : `${tag} (not in use)`]),
    chosen,
  )}
  ${
    tags.length > tagsShown &&
    html`<label class="field"
      ><span>More tags, one per line</span><textarea name="${name}More" rows="2" maxlength="5000"></textarea
    ></label>`
  }`
}

const chips = (
  name: string,
  label: string,
  all: readonly (readonly [value: string, words: string])[],
  chosen: readonly string[],
): Html => {
  const isChosen = new Set(chosen.map((one) => one.toLowerCase()))
  return html`<div class="chips" role="group" aria-label="${label}">
    <span class="chips-label" aria-hidden="true">${label}</span>
    ${all.map(
      ([value, words]) =>
        html`<label class="chip"
          ><input type="checkbox" name="${name}" value="${value}" ${isChosen.has(value.toLowerCase()) && html`checked`} /><span
            class="breaks"
            >${words}</span
          ></label
        >`,
    )}
  </div>`
}
