// The rows of the still picture beside the sign-in.

const row = (
  priority: number,
  state: number,
  time: string,
  station: string,
  text: string,
  value: string,
  who: string,
  masked = false,
) => ({ priority, state, masked, system: false, time, station, text, value, who });

export const picture = [
  row(1, 3, '03:11:58', 'River intake', 'P-101 drive-end bearing over temperature', '93.4 °C', 'Ana 2/3'),
  row(1, 3, '03:09:21', 'North works', 'Chlorine leak, dosing room 2', '4.1 ppm', 'Bo'),
  row(2, 3, '03:10:44', 'River intake', 'P-102 discharge pressure low', '1.8 bar', 'Ana 2/3'),
  row(2, 2, '02:58:12', 'Hill reservoir', 'Reservoir 2 level very high', '6.42 m', ''),
  row(3, 3, '03:07:55', 'North works', 'Filter 3 differential pressure high', '0.84 bar', ''),
  row(2, 1, '02:44:09', 'River intake', 'Intake screen torque high', '118 %', 'Ana'),
  row(1, 1, '02:31:40', 'North works', 'Ozone room door open during run', '1', 'Dana'),
  row(3, 1, '02:20:00', 'North works', 'UV bank 2, 3 lamps failed', '3', 'Dana'),
  row(3, 3, '08:00', 'North works', 'Filter 1 differential pressure high', '', '12 h', true),
  row(4, 1, '19:47', 'River intake', 'Wind above 60 km/h', '64', 'Ana'),
];
