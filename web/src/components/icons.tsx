// The icons of the console, outlines of the Tabler set; the build takes only those that are named.

import { paths } from 'virtual:icons';
import type { ReactElement } from 'react';
import type { IconName } from '../../icon-names.ts';

export type IconProps = { readonly size?: number; readonly stroke?: number };
export type Icon = (props: IconProps) => ReactElement;

function icon(name: IconName): Icon {
  const isFilled = name.endsWith('-filled');
  return ({ size = 24, stroke = 1.75 }) => (
    <svg
      width={size}
      height={size}
      viewBox="0 0 24 24"
      fill={isFilled ? 'currentColor' : 'none'}
      stroke={isFilled ? 'none' : 'currentColor'}
      strokeWidth={stroke}
      strokeLinecap="round"
      strokeLinejoin="round"
      aria-hidden="true"
    >
      {paths[name].map((path) => (
        <path key={path} d={path} />
      ))}
    </svg>
  );
}

export const IconAlertTriangle = icon('alert-triangle');
export const IconArrowUp = icon('arrow-up');
export const IconArrowsExchange = icon('arrows-exchange');
export const IconBellRinging = icon('bell-ringing');
export const IconBellRingingFilled = icon('bell-ringing-filled');
export const IconCalendar = icon('calendar');
export const IconCalendarShare = icon('calendar-share');
export const IconCalendarUser = icon('calendar-user');
export const IconChartBar = icon('chart-bar');
export const IconCheck = icon('check');
export const IconChevronDown = icon('chevron-down');
export const IconChevronLeft = icon('chevron-left');
export const IconChevronRight = icon('chevron-right');
export const IconChevronUp = icon('chevron-up');
export const IconCircle = icon('circle');
export const IconCircleCheck = icon('circle-check');
export const IconClock = icon('clock');
export const IconClockPause = icon('clock-pause');
export const IconCommand = icon('command');
export const IconContrast = icon('contrast');
export const IconCopy = icon('copy');
export const IconDeviceMobileVibration = icon('device-mobile-vibration');
export const IconDots = icon('dots');
export const IconDownload = icon('download');
export const IconEye = icon('eye');
export const IconEyeOff = icon('eye-off');
export const IconFileText = icon('file-text');
export const IconHeartbeat = icon('heartbeat');
export const IconHelpCircle = icon('help-circle');
export const IconHistory = icon('history');
export const IconInfoCircle = icon('info-circle');
export const IconKey = icon('key');
export const IconKeyboard = icon('keyboard');
export const IconLayersIntersect = icon('layers-intersect');
export const IconLink = icon('link');
export const IconLock = icon('lock');
export const IconLockOpen = icon('lock-open');
export const IconMail = icon('mail');
export const IconMessage = icon('message');
export const IconMessageCheck = icon('message-check');
export const IconMoon = icon('moon');
export const IconPhone = icon('phone');
export const IconPhoneCheck = icon('phone-check');
export const IconPhoneOff = icon('phone-off');
export const IconPhoneOutgoing = icon('phone-outgoing');
export const IconPhonePlus = icon('phone-plus');
export const IconPhoneX = icon('phone-x');
export const IconPlugConnected = icon('plug-connected');
export const IconPlus = icon('plus');
export const IconPrinter = icon('printer');
export const IconRefresh = icon('refresh');
export const IconRowInsertTop = icon('row-insert-top');
export const IconSearch = icon('search');
export const IconSpeakerphone = icon('speakerphone');
export const IconSun = icon('sun');
export const IconTags = icon('tags');
export const IconTerminal = icon('terminal-2');
export const IconTrash = icon('trash');
export const IconUser = icon('user');
export const IconUserCheck = icon('user-check');
export const IconUserPlus = icon('user-plus');
export const IconUsersGroup = icon('users-group');
export const IconVolume = icon('volume');
export const IconVolumeOff = icon('volume-off');
export const IconWebhook = icon('webhook');
export const IconX = icon('x');
