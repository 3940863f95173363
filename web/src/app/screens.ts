// The screens in the order of the rail, each with its key after `g`.

import {
  IconBellRinging,
  IconCalendarUser,
  IconChartBar,
  IconDeviceMobileVibration,
  IconHeartbeat,
  IconHistory,
  IconPhoneOutgoing,
} from '../components/icons.tsx';

export const screens = [
  { name: 'alarms', path: '/alarms', key: 'a', icon: IconBellRinging },
  { name: 'history', path: '/history', key: 'h', icon: IconHistory },
  { name: 'statistics', path: '/statistics', key: 't', icon: IconChartBar },
  { name: 'onCall', path: '/oncall', key: 'o', icon: IconCalendarUser },
  { name: 'calls', path: '/calls', key: 'c', icon: IconPhoneOutgoing },
  { name: 'phones', path: '/phones', key: 'p', icon: IconDeviceMobileVibration },
  { name: 'system', path: '/system', key: 's', icon: IconHeartbeat },
] as const;
