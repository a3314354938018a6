import type { RealmRow } from '../log/rows.js'

/** The row with which an organization begins. @param values what differs: its names at least */
export const composeNewRealmRow = (
  values: Pick<RealmRow, 'id' | 'string_id' | 'name'> & Partial<RealmRow>,
): RealmRow => ({
  description: '',
  date_created: 0,
  is_active: true,
  settings: {},
  user_settings_defaults: {},
  pictures: {},
  upload_quota_mib: null,
  user_quota: null,
  message_quota: null,
  call_quota: null,
  is_moving: false,
  ...values,
})
